/** Everything in Postgres that names a position of the log: carried over to another log, or left for a new beginning. */
import type { Pool, PoolClient } from 'pg';
import { replaceLog } from '../../../adapters/postgres/log-record';
import { transaction } from '../../../adapters/postgres/pool';
import { name, schema } from '../../../adapters/postgres/sql';
import { schema as vaultSchema } from '../../../adapters/vault/postgres-schema';
import type { LogAnchor } from '../../../ports/log-identity';
import type { CopiedLog } from './log-copy';
import type { TranslatedPositions } from './position-translation';
import { boundToPositions } from './postgres-tables';

type Queries = Pick<Pool | PoolClient, 'query'>;

const distinct = async (client: Queries, table: string): Promise<readonly bigint[]> => {
  const { rows } = await client.query<{ position: string }>(
    `select distinct position from ${schema}.${table} where position is not null`,
  );
  return rows.map(({ position }) => BigInt(position));
};

export const positionsIn = async (client: Queries): Promise<TranslatedPositions> => ({
  checkpoints: await distinct(client, 'process_checkpoints'),
  positions: await distinct(client, 'timers'),
});

const translate = async (
  client: Queries,
  table: string,
  places: readonly (readonly [before: bigint, after: bigint | null])[],
): Promise<void> => {
  const [before, after] = [places.map(([place]) => String(place)), places.map(([, place]) => place && String(place))];
  await client.query(
    `update ${schema}.${table} set position = places.after
     from unnest($1::bigint[], $2::bigint[]) as places (before, after) where position = places.before`,
    [before, after],
  );
};

/** Checkpoints of processes, and timers, which are compared with positions of later events. */
export const carryOver = async (client: Queries, before: TranslatedPositions, log: CopiedLog): Promise<void> => {
  const { checkpoints, positions } = before;
  await translate(
    client,
    'process_checkpoints',
    checkpoints.map((position) => [position, log.checkpoint(position)]),
  );
  await translate(
    client,
    'timers',
    // Where no event is at a timer's position, any that comes later is later still.
    positions.map((position) => [position, log.event(position) ?? 0n]),
  );
};

/** Rows of views name positions, too. They are built again from the first event. */
const dropViews = async (client: Queries): Promise<void> => {
  const { rows } = await client.query<{ table: string }>(
    `select tablename as table from pg_tables where schemaname = $1 and tablename ~ '_v[0-9]+$'`,
    [schema],
  );
  for (const { table } of rows) await client.query(`drop table ${schema}.${name(table)} cascade`);
  await client.query(`delete from ${schema}.view_generations`);
  for (const table of ['platform_views', 'platform_rebuilds']) await deleteFrom(client, `${schema}.${table}`);
  await deleteFrom(client, `${vaultSchema}.erasure_progress`);
};

/** Some tables are made by the first process that needs them. */
const deleteFrom = async (client: Queries, table: string): Promise<void> => {
  const { rows } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table]);
  if (rows[0]?.there === true) await client.query(`delete from ${table}`);
};

export interface NewLog {
  readonly address: string;
  /** Undefined: processes go through the log from its beginning. */
  readonly copied: CopiedLog | undefined;
  readonly anchor: LogAnchor | null;
}

/** All or nothing. */
export const switchToLog = (
  pool: Pool,
  before: TranslatedPositions,
  { address, copied, anchor }: NewLog,
): Promise<void> =>
  transaction(pool, async (client) => {
    if (copied === undefined) for (const table of boundToPositions) await client.query(`delete from ${table}`);
    else await carryOver(client, before, copied);
    await dropViews(client);
    await replaceLog(client, address, anchor);
  });

/** Leases that are held show that processes run. */
export const heldLeases = async (client: Queries): Promise<readonly string[]> => {
  const { rows } = await client.query<{ name: string }>(
    `select name from ${schema}.leases where until > clock_timestamp() order by name`,
  );
  return rows.map((row) => row.name);
};
