/** Places of two tenants in a real index, and queries of them. */
import assert from 'node:assert/strict';
import { type Either, isLeft } from 'fp-ts/Either';
import { openIndexQueries } from '../../../../infra/adapters/elastic/queries/index-queries';
import { openElasticWriter } from '../../../../infra/adapters/elastic/view-writer';
import { migrate } from '../../../../infra/adapters/postgres/migrate';
import type { IndexAnswer, IndexQueries, IndexQuery } from '../../../../infra/ports/views/index-query';
import type { IndexView, View, ViewWriter } from '../../../../infra/ports/views/view-store';
import { type PlaceRow, placesView, putPlace } from '../../../support/domain/place-context';
import { elasticsearchForTests, freshDatabase, indexPrefix } from '../../../support/servers/shared-servers';
import { ok } from '../suite/view-store';

export interface Places {
  readonly view: IndexView<PlaceRow>;
  readonly queries: IndexQueries;
  readonly writer: ViewWriter;
  readonly url: string;
  readonly prefix: string;
  readonly close: () => Promise<void>;
}

interface PlacesOptions {
  readonly rows: readonly PlaceRow[];
  readonly shards?: number;
}

const plain = (view: IndexView<PlaceRow>): View => view as unknown as View;

export const openPlaces = async ({ rows, shards = 1 }: PlacesOptions): Promise<Places> => {
  const [{ url }, postgresUrl] = await Promise.all([elasticsearchForTests(), freshDatabase()]);
  ok(await migrate({ url: postgresUrl, readerPassword: 'only for reading' }));
  const prefix = indexPrefix();
  const view = placesView(`test_places_${Math.random().toString(36).slice(2, 10)}`, shards);
  const writer = openElasticWriter({ url, postgresUrl, prefix });
  const queries = openIndexQueries({ url, prefix });
  const { number } = ok(await writer.open(plain(view)));
  const changes = rows.map((row) => ({ position: 10n, change: putPlace(row) }));
  ok(await writer.apply(plain(view), { generation: number, after: null, position: 10n, live: true, changes }));
  const close = async (): Promise<void> => {
    await Promise.all([writer.close(), queries.close()]);
  };
  return { view, queries, writer, url, prefix, close };
};

/** The same places for another tenant, so that a query without its bound would find twice as many. */
export const forTwoTenants = (rows: readonly PlaceRow[]): readonly PlaceRow[] => [
  ...rows,
  ...rows.map((row) => ({ ...row, tenantId: 'other' })),
];

export const idsOf = <Row extends { readonly placeId: string }>({ hits }: IndexAnswer<Row>): string =>
  hits.map(({ row }) => row.placeId).join('');

export const searching =
  (places: () => Places, tenantId = 'acme') =>
  async (query: Partial<IndexQuery<PlaceRow>>): Promise<IndexAnswer<PlaceRow>> => {
    const { queries, view } = places();
    const answer = ok(await queries.search(view, tenantId, { limit: 20, ...query }));
    assert.ok(answer.hits.every(({ row }) => row.tenantId === tenantId));
    return answer;
  };

export const refusalOf = (answer: Either<{ readonly code: string; readonly detail: string }, unknown>): string => {
  assert.ok(isLeft(answer), 'the query is refused');
  return `${answer.left.code}: ${answer.left.detail}`;
};
