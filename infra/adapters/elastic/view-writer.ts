/** Views in Elasticsearch: documents first, then the checkpoint in Postgres; repeating a batch changes nothing. */
import type { Client } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool, PoolClient } from 'pg';
import type { ApplyFault, Batch, IndexView, View, ViewDigest, ViewWriter } from '../../ports/views/view-store';
import { openPool, toViewFault as postgresFault, retryDeadlocks, transaction } from '../postgres/pool';
import { advance, lockCheckpoint, readCheckpoint } from '../postgres/views/generation-checkpoint';
import { openLifecycle } from '../postgres/views/generation-lifecycle';
import { digestRows } from '../views/digest';
import { checkpointMoved, writesPaused } from '../views/view-faults';
import { writeBulk } from './bulk';
import { openElastic, toViewFault } from './client';
import { eraseDocuments } from './erase-documents';
import { createIntegrityCheck } from './index-integrity';
import { createIndexStorage } from './index-lifecycle';
import { indexName, prefixedIndex } from './index-names';
import { scanDocuments } from './scan-documents';

export interface ElasticOptions {
  readonly url: string;
  /** Where the registry of views is. */
  readonly postgresUrl: string;
  /** Begins the name of every index, so that several installations share a cluster. */
  readonly prefix?: string | undefined;
  /** How long a shard may be without any copy before its view is rebuilt; two minutes, if left out. */
  readonly damagedMilliseconds?: number;
}

const defaultDamagedMilliseconds = 120_000;

interface Stores {
  readonly client: Client;
  readonly pool: Pool;
  readonly indexOf: (view: View) => IndexView;
}

/** Faults of either store; the detail names the store that is unavailable. */
const within = async <A>({ pool, client }: Stores, work: (postgres: PoolClient) => Promise<A>) => {
  const reachable = await toViewFault(async () => {
    await client.cluster.health({ timeout: '1s' });
  });
  return isLeft(reachable) ? reachable : postgresFault(() => retryDeadlocks(pool, work));
};

/** Locks the checkpoint's row meanwhile, so that a pause of writes waits for documents under way and writers take turns. */
const applyLocked = async (
  postgres: PoolClient,
  { client, view, index }: { readonly client: Client; readonly view: View; readonly index: IndexView },
  batch: Batch,
): Promise<Either<ApplyFault, void>> => {
  const found = await lockCheckpoint(postgres, view, batch.generation);
  if (found === undefined || found.position !== batch.after) return checkpointMoved();
  if (found.paused) return writesPaused();
  const sent = await toViewFault(() => writeBulk(client, index, { batch, isRead: found.active }));
  if (isLeft(sent)) return sent;
  if (isLeft(sent.right)) return sent.right;
  const erased = await toViewFault(() => eraseDocuments(client, index, batch));
  if (isLeft(erased)) return erased;
  if (isLeft(erased.right)) return erased.right;
  await advance(postgres, view, batch);
  return right(undefined);
};

const apply =
  ({ client, pool, indexOf }: Stores): ViewWriter['apply'] =>
  async (view, batch) => {
    const target = { client, view, index: indexOf(view) };
    const applied = await postgresFault(() => transaction(pool, (postgres) => applyLocked(postgres, target, batch)));
    return isLeft(applied) ? applied : applied.right;
  };

const digestOf = async (client: Client, index: string): Promise<ViewDigest> => {
  await client.indices.refresh({ index });
  return digestRows(scanDocuments(client, index));
};

export const openElasticWriter = (options: ElasticOptions): ViewWriter => {
  const { url, postgresUrl, prefix, damagedMilliseconds = defaultDamagedMilliseconds } = options;
  const indexOf = (view: View): IndexView => prefixedIndex(view, prefix);
  const stores = { client: openElastic(url), pool: openPool({ url: postgresUrl }), indexOf };
  const { client, pool } = stores;
  const isWhole = createIntegrityCheck({ client, damagedMilliseconds });
  const { close, ...lifecycle } = openLifecycle({
    pool,
    within: (work) => within(stores, work),
    physical: (view) => createIndexStorage(client, indexOf(view)),
  });
  return {
    ...lifecycle,
    apply: apply(stores),
    verify: async (view, generation) => {
      const known = await postgresFault(() => readCheckpoint(pool, view, generation));
      if (isLeft(known)) return known;
      if (known.right === undefined) return checkpointMoved();
      const found = await toViewFault(() => isWhole(indexOf(view), generation));
      return isLeft(found) ? found : found.right;
    },
    digest: (view, generation) => toViewFault(() => digestOf(client, indexName(indexOf(view), generation))),
    close: async () => {
      close();
      await Promise.all([client.close(), pool.end()]);
    },
  };
};
