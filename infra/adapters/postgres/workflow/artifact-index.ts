/** Artifacts of runs in Postgres. Reservations of one organization take turns on the row of its usage, so its bounds hold over all processes. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool, PoolClient } from 'pg';
import type { Instant } from '../../../../domain/kernel/codec';
import { reject } from '../../../../domain/kernel/rejection';
import type {
  ArtifactBounds,
  ArtifactBoundsRefusal,
  ArtifactIndex,
  ArtifactReservation,
  IndexedArtifact,
} from '../../../ports/workflow/artifact-index';
import { attempted, rowsOf, transaction } from '../pool';
import { artifactsTable, artifactUsageTable } from './log-schema';

type ArtifactId = ArtifactReservation['artifactId'];

/** A process that died holds one no longer. */
const claimMilliseconds = 600_000;

const ofArtifact = 'tenant = $1 and run_id = $2 and artifact_id = $3';
const lockStatement = `insert into ${artifactUsageTable} (tenant, bytes) values ($1, 0)
  on conflict (tenant) do update set bytes = ${artifactUsageTable}.bytes returning bytes`;
const countStatement = `select count(*)::integer as count, count(*) filter (where artifact_id = $3)::integer as known
  from ${artifactsTable} where tenant = $1 and run_id = $2`;
const insertStatement = `insert into ${artifactsTable} (tenant, run_id, artifact_id, bytes) values ($1, $2, $3, $4)`;
const useStatement = `update ${artifactUsageTable} set bytes = bytes + $2 where tenant = $1`;
const deleteStatement = `delete from ${artifactsTable} where ${ofArtifact} returning bytes`;
const listStatement = {
  name: 'list-workflow-artifacts',
  text: `select artifact_id as "artifactId" from ${artifactsTable} where tenant = $1 and run_id = $2
    order by added, artifact_id limit 1000`,
};
const dueStatement = {
  name: 'schedule-workflow-artifact',
  text: `update ${artifactsTable} set due = $4, claimed = null where ${ofArtifact}`,
};
const claimStatement = {
  name: 'claim-due-workflow-artifact',
  text: `update ${artifactsTable} set claimed = clock_timestamp() where (tenant, run_id, artifact_id) = (
      select tenant, run_id, artifact_id from ${artifactsTable}
      where due < clock_timestamp() and (claimed is null or claimed < clock_timestamp() - $1 * interval '1 millisecond')
      order by due limit 1 for update skip locked)
    returning tenant as "tenantId", run_id as "runId", artifact_id as "artifactId", added`,
};

type Reserved = Either<ArtifactBoundsRefusal, void>;

const reserve = async (
  client: PoolClient,
  { tenantId, runId, artifactId, sizeBytes }: ArtifactReservation,
  bounds: ArtifactBounds,
): Promise<Reserved> => {
  const used = await client.query<{ bytes: string }>(lockStatement, [tenantId]);
  const counted = await client.query<{ count: number; known: number }>(countStatement, [tenantId, runId, artifactId]);
  const { count = 0, known = 0 } = counted.rows[0] ?? {};
  if (known > 0) return right(undefined);
  if (count >= bounds.perRun) return reject('too-many-artifacts', `A run has at most ${bounds.perRun} artifacts.`);
  const rest = Math.max(0, bounds.bytes - Number(used.rows[0]?.bytes ?? 0));
  if (sizeBytes > rest)
    return reject(
      'artifact-quota-exceeded',
      `The artifacts of the organization may have ${bounds.bytes} bytes; ${rest} of them are left, and sizeBytes is ${sizeBytes}.`,
    );
  await client.query(insertStatement, [tenantId, runId, artifactId, sizeBytes]);
  await client.query(useStatement, [tenantId, sizeBytes]);
  return right(undefined);
};

export const createPostgresArtifactIndex = (pool: Pool): ArtifactIndex => {
  const attempt = <A>(work: () => Promise<A>) => attempted('artifact-index-unavailable', work);
  return {
    add: async (reservation, bounds) => {
      const reserved = await attempt(() => transaction(pool, (client) => reserve(client, reservation, bounds)));
      return isLeft(reserved) ? reserved : reserved.right;
    },
    of: ({ tenantId, runId }) =>
      attempt(async () => {
        const rows = await rowsOf<{ artifactId: ArtifactId }>(pool, listStatement, [tenantId, runId]);
        return rows.map(({ artifactId }) => artifactId);
      }),
    setDue: ({ tenantId, runId, artifactId }, due) =>
      attempt(async () => void (await rowsOf(pool, dueStatement, [tenantId, runId, artifactId, due]))),
    claimDue: () =>
      attempt(async () => {
        type Row = Omit<IndexedArtifact, 'addedAt'> & { readonly added: Date };
        const [row] = await rowsOf<Row>(pool, claimStatement, [claimMilliseconds]);
        if (row === undefined) return undefined;
        const { added, ...claimed } = row;
        return { ...claimed, addedAt: added.toISOString() as Instant };
      }),
    remove: ({ tenantId, runId, artifactId }) =>
      attempt(() =>
        transaction(pool, async (client) => {
          await client.query(lockStatement, [tenantId]);
          const removed = await client.query<{ bytes: string }>(deleteStatement, [tenantId, runId, artifactId]);
          const bytes = removed.rows[0]?.bytes;
          if (bytes !== undefined) await client.query(useStatement, [tenantId, -Number(bytes)]);
        }),
      ),
  };
};
