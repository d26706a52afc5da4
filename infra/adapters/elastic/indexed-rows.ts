/** Counts, groups and removes documents in all generations of a view's index, after a refresh. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { fault } from '../../../domain/kernel/rejection';
import type { IndexedGroup, IndexedRows, RowSelection, ViewBehind } from '../../ports/views/indexed-rows';
import type { NamedView, ViewFault } from '../../ports/views/view-store';
import { openPool, toViewFault as postgresFault } from '../postgres/pool';
import { type KnownGeneration, knownGenerations } from '../postgres/views/generation-registry';
import { unavailable } from '../views/view-faults';
import { sendBulk, versioned } from './bulk';
import { openElastic, toViewFault, undefinedIfMissing } from './client';
import { indexName, writeAlias } from './index-names';
import { findDocuments } from './scan-documents';

interface IndexedRowsOptions {
  /** Undefined: Elasticsearch is off; of views that never had a copy there is still an answer. */
  readonly url: string | undefined;
  /** Where the registry of views is. */
  readonly postgresUrl: string;
  readonly prefix?: string | undefined;
  /** Why there is no URL. */
  readonly off: string;
}

/** A copy that was switched away from takes no more rows, and is dropped within minutes. */
const isBehind = ({ isRetired, position }: KnownGeneration, after: bigint): boolean =>
  !isRetired && after > 0n && (position === null || position < after);

const behind = (view: NamedView): Either<ViewBehind, never> =>
  left(fault('view-behind', `A copy of ${view.name} does not have the newest events yet.`));

const selected = ({ tenantId, where }: RowSelection): estypes.QueryDslQueryContainer => ({
  bool: {
    filter: Object.entries({ ...where, tenantId }).map(([field, value]) => ({ term: { [field]: value as string } })),
  },
});

const countIn = async (client: Client, index: string, { tenantId, where }: RowSelection): Promise<number> => {
  const refreshed = await undefinedIfMissing(() => client.indices.refresh({ index }));
  if (refreshed === undefined) return 0;
  const { count, _shards: shards } = await client.count({ index, query: selected({ tenantId, where }) });
  if (shards.successful < shards.total) throw new Error('A shard does not answer.');
  return count;
};

const countInAll = async (
  client: Client,
  indexes: readonly string[],
  selection: RowSelection,
): Promise<Either<ViewFault, number>> => {
  let rows = 0;
  for (const index of indexes) {
    const counted = await toViewFault(() => countIn(client, index, selection));
    if (isLeft(counted)) return counted;
    rows += counted.right;
  }
  return right(rows);
};

const groupsOfPage = 1_000;

type Values = IndexedGroup['values'];

/** Undefined: there is no such index. */
const groupsIn = async (
  client: Client,
  index: string,
  { tenantId, by }: { readonly tenantId: string; readonly by: readonly string[] },
): Promise<ReadonlyMap<string, { readonly values: Values; readonly rows: number }>> => {
  const groups = new Map<string, { readonly values: Values; readonly rows: number }>();
  if ((await undefinedIfMissing(() => client.indices.refresh({ index }))) === undefined) return groups;
  const sources = by.map((field) => ({ [field]: { terms: { field } } }));
  for (let after: estypes.AggregationsCompositeAggregateKey | undefined; ; ) {
    const { aggregations, _shards: shards } = await client.search<
      unknown,
      { readonly groups: estypes.AggregationsCompositeAggregate }
    >({
      index,
      size: 0,
      query: selected({ tenantId, where: {} }),
      aggs: { groups: { composite: { size: groupsOfPage, sources, ...(after === undefined ? {} : { after }) } } },
    });
    if (shards.successful < shards.total) throw new Error('A shard does not answer.');
    const buckets = aggregations?.groups.buckets as readonly estypes.AggregationsCompositeBucket[] | undefined;
    for (const { key, doc_count: rows } of buckets ?? [])
      groups.set(JSON.stringify(by.map((field) => key[field])), { values: key as Values, rows });
    after = aggregations?.groups.after_key;
    if (after === undefined) return groups;
  }
};

/** Each group once, with its counts of all copies. */
const mergeGroups = (copies: readonly Awaited<ReturnType<typeof groupsIn>>[]): readonly IndexedGroup[] =>
  [...new Map(copies.flatMap((copy) => [...copy]))].map(([key, { values }]) => {
    const counts = copies.map((copy) => copy.get(key)?.rows ?? 0);
    return { values, fewest: Math.min(...counts), most: Math.max(...counts) };
  });

/** A document that a later event wrote has a higher version, and stays. */
const removeIn = async (
  client: Client,
  index: string,
  { upTo, ...selection }: RowSelection & { readonly upTo: bigint },
): Promise<Either<ViewFault, number>> => {
  if ((await undefinedIfMissing(() => client.indices.refresh({ index }))) === undefined) return right(0);
  let removed = 0;
  for await (const documents of findDocuments(client, index, { query: selected(selection) })) {
    const operations = documents.map(({ id }) => [{ delete: versioned(writeAlias(index), id, upTo) }]);
    const sent = await sendBulk(client, operations, true);
    if (isLeft(sent)) return unavailable(sent.left.detail);
    removed += documents.length;
  }
  return right(removed);
};

const generationsOf = (pool: Pool, view: NamedView): Promise<Either<ViewFault, readonly KnownGeneration[]>> =>
  postgresFault(() => knownGenerations(pool, view));

export const openIndexedRows = ({ url, postgresUrl, prefix = '', off }: IndexedRowsOptions): IndexedRows => {
  const pool = openPool({ url: postgresUrl, connections: 2 });
  const client = url === undefined ? undefined : openElastic(url);
  return {
    count: async (view, { after, ...selection }) => {
      const known = await generationsOf(pool, view);
      if (isLeft(known)) return known;
      if (known.right.length === 0) return right({ rows: 0, copies: 0 });
      if (client === undefined) return unavailable(off);
      if (known.right.some((generation) => isBehind(generation, after))) return behind(view);
      const indexes = known.right.map(({ number }) => indexName({ name: `${prefix}${view.name}` }, number));
      const rows = await countInAll(client, indexes, selection);
      return isLeft(rows) ? rows : right({ rows: rows.right, copies: indexes.length });
    },
    groups: async (view, { after, ...request }) => {
      const known = await generationsOf(pool, view);
      if (isLeft(known)) return known;
      const alive = known.right.filter(({ isRetired }) => !isRetired);
      if (alive.length === 0) return right([]);
      if (client === undefined) return unavailable(off);
      if (alive.some((generation) => isBehind(generation, after))) return behind(view);
      return toViewFault(async () => {
        const copies: Awaited<ReturnType<typeof groupsIn>>[] = [];
        for (const { number } of alive)
          copies.push(await groupsIn(client, indexName({ name: `${prefix}${view.name}` }, number), request));
        return mergeGroups(copies);
      });
    },
    remove: async (view, selection) => {
      const known = await generationsOf(pool, view);
      if (isLeft(known)) return known;
      if (client === undefined) return known.right.length === 0 ? right(0) : unavailable(off);
      let removed = 0;
      for (const { number } of known.right) {
        const index = indexName({ name: `${prefix}${view.name}` }, number);
        const found = await toViewFault(() => removeIn(client, index, selection));
        if (isLeft(found)) return found;
        if (isLeft(found.right)) return found.right;
        removed += found.right.right;
      }
      return right(removed);
    },
    close: async () => {
      await Promise.all([client?.close(), pool.end()]);
    },
  };
};
