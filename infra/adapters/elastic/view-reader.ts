/** Queries of indexes: through the alias, of one tenant, decoded documents. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { decodeStored } from '../../../domain/kernel/codec';
import type {
  IndexView,
  PageRequest,
  Scalar,
  View,
  ViewFault,
  ViewReader,
  ViewRow,
} from '../../ports/views/view-store';
import { openPool, toViewFault as postgresFault } from '../postgres/pool';
import { activeOf } from '../postgres/views/generation-registry';
import { checkKeyCount } from '../views/key-limit';
import { unavailable } from '../views/view-faults';
import { openElastic, toViewFault, undefinedIfNoDocument } from './client';
import { createEmptyAnswers, type EmptyAnswers } from './empty-answers';
import { documentId, prefixedIndex } from './index-names';

export interface ElasticReaderOptions {
  readonly url: string;
  /** Where the registry of views is; reading is enough. */
  readonly postgresUrl: string;
  /** As the writer has it. */
  readonly prefix?: string | undefined;
}

const rowOf = <Row extends ViewRow>(view: IndexView<Row>, document: unknown): Either<ViewFault, Row> => {
  const decoded = decodeStored(view.row, document);
  return isLeft(decoded) ? unavailable('The view is of another version; it is being rebuilt.') : right(decoded.right);
};

const equal = (field: string, value: Scalar | readonly Scalar[]): estypes.QueryDslQueryContainer => {
  if (value === null) return { bool: { must_not: { exists: { field } } } };
  return Array.isArray(value) ? { terms: { [field]: value } } : { term: { [field]: value as string } };
};

const bounds = ({ between }: PageRequest): readonly estypes.QueryDslQueryContainer[] => {
  if (between === undefined) return [];
  const { field, from, to } = between;
  return [
    {
      range: { [field]: { ...(from === undefined ? {} : { gte: from }), ...(to === undefined ? {} : { lt: to }) } },
    } as estypes.QueryDslQueryContainer,
  ];
};

const words = ({ search }: PageRequest): readonly estypes.QueryDslQueryContainer[] =>
  search === undefined ? [] : [{ multi_match: { query: search.text, fields: [...search.fields], operator: 'and' } }];

const queryOf = (tenantId: string, request: PageRequest): estypes.QueryDslQueryContainer => ({
  bool: {
    filter: [
      { term: { tenantId } },
      ...Object.entries(request.where).map(([field, value]) => equal(field, value as Scalar | readonly Scalar[])),
      ...bounds(request),
      ...words(request),
    ],
  },
});

const search = (client: Client, { name, tenantId }: { name: string; tenantId: string }, request: PageRequest) => {
  const { order, after, limit } = request;
  return client.search({
    index: name,
    query: queryOf(tenantId, request),
    size: limit,
    sort: order.map(({ field, direction }) => ({ [field]: direction })),
    track_total_hits: false,
    // Without a shard of it an answer would lack rows, without a mark.
    allow_partial_search_results: false,
    ...(after === undefined ? {} : { search_after: [...after] }),
  });
};

interface Reading {
  readonly client: Client;
  readonly prefix: string | undefined;
  readonly emptyAnswer: EmptyAnswers;
}

const page =
  ({ client, prefix, emptyAnswer }: Reading): ViewReader['page'] =>
  async <Row extends ViewRow>(view: View<Row>, tenantId: string, request: PageRequest<Row>) => {
    const index = prefixedIndex(view, prefix);
    const plain = request as unknown as PageRequest;
    const found = await toViewFault(() => search(client, { name: index.name, tenantId }, plain));
    if (isLeft(found)) return found;
    const rows: Row[] = [];
    for (const { _source } of found.right.hits.hits) {
      const row = rowOf(index, _source);
      if (isLeft(row)) return row;
      rows.push(row.right);
    }
    return rows.length === 0 ? emptyAnswer(index.name, rows) : right(rows);
  };

/** A missing row is an answer; a missing index is none. */
const find =
  ({ client, prefix, emptyAnswer }: Reading): ViewReader['find'] =>
  async <Row extends ViewRow>(view: View<Row>, tenantId: string, key: Partial<Row>) => {
    const index = prefixedIndex(view, prefix);
    const id = documentId(index, { ...key, tenantId });
    const found = await toViewFault(() => undefinedIfNoDocument(() => client.get({ index: index.name, id })));
    if (isLeft(found)) return found;
    if (found.right !== undefined) return rowOf(index, found.right._source);
    return emptyAnswer(index.name, undefined);
  };

const findMany =
  ({ client, prefix, emptyAnswer }: Reading): ViewReader['findMany'] =>
  async <Row extends ViewRow>(view: View<Row>, tenantId: string, keys: readonly Partial<Row>[]) => {
    checkKeyCount(keys);
    if (keys.length === 0) return right([]);
    const index = prefixedIndex(view, prefix);
    const ids = keys.map((key) => documentId(index, { ...key, tenantId }));
    const found = await toViewFault(() => client.mget({ index: index.name, ids }));
    if (isLeft(found)) return found;
    const rows: (Row | undefined)[] = [];
    for (const document of found.right.docs) {
      if ('error' in document) return unavailable('The view is not built yet, or a part of it does not answer.');
      const row = document.found ? rowOf(index, document._source) : right(undefined);
      if (isLeft(row)) return row;
      rows.push(row.right);
    }
    return rows.every((row) => row === undefined) ? emptyAnswer(index.name, rows) : right(rows);
  };

/** Upper bound of a query: a store that does not answer is unavailable before the client gives up. */
const queryMilliseconds = 5_000;

export const openElasticReader = ({ url, postgresUrl, prefix }: ElasticReaderOptions): ViewReader => {
  const client = openElastic(url, queryMilliseconds);
  const reading = { client, prefix, emptyAnswer: createEmptyAnswers(client) };
  const timeouts = { statementMilliseconds: queryMilliseconds, answerMilliseconds: queryMilliseconds };
  const pool = openPool({ url: postgresUrl, connections: 4, ...timeouts });
  return {
    find: find(reading),
    findMany: findMany(reading),
    page: page(reading),
    checkpoint: async (view) => {
      const active = await postgresFault(() => activeOf(pool, view));
      return isLeft(active) ? active : right(active.right?.position);
    },
    close: async () => {
      await Promise.all([client.close(), pool.end()]);
    },
  };
};
