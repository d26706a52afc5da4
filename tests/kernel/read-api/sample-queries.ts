import { integer, record, text } from '../../../domain/kernel/codec';
import type { TableView, ViewRow } from '../../../infra/ports/views/view-store';
import type { JsonAnswer, RouteRequest } from '../../../infra/server/http/routing/route';
import { cursorsSignedWith } from '../../../read-api/kernel/pagination';
import { pageRoute } from '../../../read-api/kernel/query-routes';
import { createViewPositions } from '../../../read-api/kernel/read-your-writes';
import { sampleIdentity } from '../../support/http/http-service';
import { createSettableViews } from './view-readers';

interface ThingRow extends ViewRow {
  readonly thingId: string;
  readonly size: number;
  readonly colour: string;
}

const word = text('Word', { maxLength: 40 });
const Thing = record('Thing', { tenantId: word, thingId: word, size: integer(), colour: word, revision: integer(0) });
const thingsView: TableView<ThingRow> = {
  store: 'postgres',
  name: 'test_things',
  version: 1,
  row: Thing,
  key: ['tenantId', 'thingId'],
  columns: { tenantId: 'text', thingId: 'text', size: 'integer', colour: 'text', revision: 'integer' },
};
const listThings = pageRoute({
  path: '/v1/things',
  operation: 'listThings',
  summary: 'Things.',
  scopes: [],
  params: record('NoParams', {}),
  item: Thing,
  view: thingsView,
  filters: { colour: word },
  order: [
    { field: 'size', direction: 'desc' },
    { field: 'thingId', direction: 'asc' },
  ],
  rows: (_params, { colour }) => ({ where: colour === undefined ? {} : { colour } }),
  show: ({ thingId }) => thingId,
});

export const cursors = cursorsSignedWith('k'.repeat(43));
export type Query = { readonly limit?: number; readonly cursor?: string; readonly colour?: string };
export interface Page {
  readonly items: readonly string[];
  readonly next_cursor: string | null;
}

export const openSampleQueries = async () => {
  const views = createSettableViews();
  let position = 7n;
  await views.write(thingsView, position);
  const reading = { views, cursors, positions: createViewPositions(views) };
  const request = { params: {}, body: undefined, headers: {}, requestId: 'r', signal: new AbortController().signal };
  const list = async (query: Query, tenantId = 'acme') => {
    const routeRequest = { ...request, query, identity: { ...sampleIdentity, tenantId } };
    return listThings.handle(reading, routeRequest as unknown as RouteRequest<object, Query, unknown>);
  };
  const put = (rows: readonly (Pick<ThingRow, 'thingId' | 'size'> & Partial<ThingRow>)[]) => {
    position += 1n;
    const whole = rows.map((row) => ({ tenantId: 'acme', colour: 'red', revision: 0, ...row }));
    return views.write(thingsView, position, whole);
  };
  const page = async (query: Query): Promise<Page> => ((await list(query)) as JsonAnswer).body as Page;
  return { list, page, put };
};
