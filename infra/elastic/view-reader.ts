/** Queries of indexes: through the alias, of one tenant, decoded documents. */
import type { Client, estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import { decode } from '../../domain/kernel/codec';
import type { IndexView, PageRequest, Scalar, View, ViewFault, ViewReader, ViewRow } from '../ports/views/view-store';
import { openPool, toViewFault as postgresFault } from '../postgres/pool';
import { activeOf } from '../postgres/views/generation-registry';
import { unavailable } from '../views/view-faults';
import { openElastic, toViewFault, undefinedIfMissing } from './client';
import { documentId, prefixedIndex } from './index-names';

export interface ElasticReaderOptions {
  readonly url: string;
  /** Where the registry of views is; reading is enough. */
  readonly postgresUrl: string;
  /** As the writer has it. */
  readonly prefix?: string | undefined;
}

const rowOf = <Row extends ViewRow>(view: IndexView<Row>, document: unknown): Either<ViewFault, Row> => {
  const decoded = decode(view.row, document);
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
    ...(after === undefined ? {} : { search_after: [...after] }),
  });
};

const page =
  (client: Client, prefix: string | undefined): ViewReader['page'] =>
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
    return right(rows);
  };

/** Upper bound of a query: a store that does not answer is unavailable before the client gives up. */
const queryMilliseconds = 5_000;

export const openElasticReader = ({ url, postgresUrl, prefix }: ElasticReaderOptions): ViewReader => {
  const client = openElastic(url, queryMilliseconds);
  const timeouts = { statementMilliseconds: queryMilliseconds, answerMilliseconds: queryMilliseconds };
  const pool = openPool({ url: postgresUrl, connections: 4, ...timeouts });
  return {
    find: async (view, tenantId, key) => {
      const index = prefixedIndex(view, prefix);
      const id = documentId(view as unknown as View, { ...key, tenantId });
      const found = await toViewFault(() => undefinedIfMissing(() => client.get({ index: index.name, id })));
      if (isLeft(found)) return found;
      return found.right === undefined ? right(undefined) : rowOf(index, found.right._source);
    },
    page: page(client, prefix),
    checkpoint: async (view) => {
      const active = await postgresFault(() => activeOf(pool, view));
      return isLeft(active) ? active : right(active.right?.position);
    },
    close: async () => {
      await Promise.all([client.close(), pool.end()]);
    },
  };
};
