/** Views in Elasticsearch: documents first, then the checkpoint in Postgres; repeating a batch changes nothing. */
import type { Client } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool, PoolClient } from 'pg';
import type { Batch, CheckpointMoved, IndexView, View, ViewHeld, ViewWriter } from '../ports/view-store';
import { digestRows } from '../postgres/digest';
import { building, held, moved, unavailable } from '../postgres/faults';
import { asked as askedPostgres, openPool, transaction } from '../postgres/pool';
import {
  activateOther,
  advance,
  beginOther,
  dropOther,
  holdActive,
  isHeld,
  openActive,
  positionOf,
} from '../postgres/registry';
import { writeBulk } from './bulk';
import { asked, openElastic } from './client';
import { documents } from './documents';
import { indexName } from './names';
import { indexes } from './physical';

export interface ElasticOptions {
  readonly url: string;
  /** Where the registry of views is. */
  readonly postgresUrl: string;
}

const indexOf = (view: View): IndexView => {
  if (view.store !== 'elastic') throw new Error(`${view.name} is not an index`);
  return view;
};

interface Stores {
  readonly client: Client;
  readonly pool: Pool;
}

/** Whether the batch may be written, before documents are. */
const allowed = async (
  pool: Pool,
  view: View,
  { generation, after }: Batch,
): Promise<Either<ViewHeld | CheckpointMoved, void>> => {
  if (await isHeld(pool, view, generation)) return held();
  const position = await positionOf(pool, view, generation);
  return position === undefined || position !== after ? moved() : right(undefined);
};

const apply =
  ({ client, pool }: Stores): ViewWriter['apply'] =>
  async (view, batch) => {
    const may = await askedPostgres(() => allowed(pool, view, batch));
    if (isLeft(may)) return may;
    if (isLeft(may.right)) return may.right;
    const written = await asked(() => writeBulk(client, indexOf(view), batch));
    if (isLeft(written)) return written;
    if (isLeft(written.right)) return written.right;
    const advanced = await askedPostgres(() => advance(pool, view, batch));
    if (isLeft(advanced)) return advanced;
    return advanced.right ? right(undefined) : moved();
  };

/** Errors of either store; the detail names the one that is away. */
const within = async <A>({ pool, client }: Stores, work: (postgres: PoolClient) => Promise<A>) => {
  const here = await asked(async () => {
    await client.cluster.health({ timeout: '1s' });
  });
  return isLeft(here) ? here : askedPostgres(() => transaction(pool, work));
};

export const openElasticWriter = ({ url, postgresUrl }: ElasticOptions): ViewWriter => {
  const stores = { client: openElastic(url), pool: openPool({ url: postgresUrl, connections: 4 }) };
  const { client, pool } = stores;
  const physical = (view: View) => indexes(client, indexOf(view));
  return {
    open: (view) => within(stores, (postgres) => openActive(postgres, view, physical(view))),
    apply: apply(stores),
    begin: async (view) => {
      const begun = await within(stores, (postgres) => beginOther(postgres, view, physical(view)));
      if (isLeft(begun)) return begun;
      return begun.right === undefined ? building() : right(begun.right);
    },
    hold: (view, milliseconds) => within(stores, (postgres) => holdActive(postgres, view, milliseconds)),
    digest: (view, generation) =>
      asked(async () => {
        const index = indexName(view, generation);
        await client.indices.refresh({ index });
        return digestRows(documents(client, index));
      }),
    activate: async (view, number) => {
      const switched = await within(stores, (postgres) =>
        activateOther(postgres, view, { number, physical: physical(view) }),
      );
      if (isLeft(switched)) return switched;
      return switched.right ? right(undefined) : unavailable('There is no such generation.');
    },
    drop: (view, number) =>
      within(stores, (postgres) => dropOther(postgres, view, { number, physical: physical(view) })),
    close: async () => {
      await Promise.all([client.close(), pool.end()]);
    },
  };
};
