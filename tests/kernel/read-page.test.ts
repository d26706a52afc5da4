import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { integer, record, text } from '../../domain/kernel/codec';
import type { JsonAnswer, RouteRequest } from '../../infra/http/route';
import type { TableView, ViewRow } from '../../infra/ports/view-store';
import { cursorsSignedWith, pageQuery } from '../../read-api/kernel/page';
import { watchPositions } from '../../read-api/kernel/positions';
import { pageRoute } from '../../read-api/kernel/route';
import { someone } from '../support/http-service';
import { heldViews } from './read-views';

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

const cursors = cursorsSignedWith('k'.repeat(43));
type Query = { readonly limit?: number; readonly cursor?: string; readonly colour?: string };
interface Page {
  readonly items: readonly string[];
  readonly next_cursor: string | null;
}

const opened = async () => {
  const views = heldViews();
  let position = 7n;
  await views.write(thingsView, position);
  const reading = { views, cursors, positions: watchPositions(views) };
  const request = { params: {}, body: undefined, headers: {}, requestId: 'r', signal: new AbortController().signal };
  const list = async (query: Query, tenantId = 'acme') => {
    const asked = { ...request, query, identity: { ...someone, tenantId } };
    return listThings.handle(reading, asked as unknown as RouteRequest<object, Query, unknown>);
  };
  const put = (rows: readonly (Pick<ThingRow, 'thingId' | 'size'> & Partial<ThingRow>)[]) => {
    position += 1n;
    const whole = rows.map((row) => ({ tenantId: 'acme', colour: 'red', revision: 0, ...row }));
    return views.write(thingsView, position, whole);
  };
  const page = async (query: Query): Promise<Page> => ((await list(query)) as JsonAnswer).body as Page;
  return { list, page, put };
};

const problemOf = (answer: unknown) => (answer as { problem?: { status: number; errors?: unknown } }).problem;
const refusal = [{ pointer: '/query/cursor', expected: 'the next_cursor of this same query' }];

describe('pages', () => {
  it('give every row once, with any limit, also while rows are inserted', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 40 }),
        fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer({ min: 0, max: 5 })), { maxLength: 10 }),
        fc.integer({ min: 1, max: 9 }),
        async (sizes, inserted, limit) => {
          const { page, put } = await opened();
          await put(sizes.map((size, index) => ({ thingId: `there-${index}`, size })));
          const seen: string[] = [];
          let cursor: string | null | undefined;
          for (let turn = 0; cursor !== null; turn += 1) {
            const got = await page({ limit, ...(cursor === undefined ? {} : { cursor }) });
            assert.ok(got.items.length <= limit);
            seen.push(...got.items);
            cursor = got.next_cursor;
            const now = inserted.map(([when, size], index) => ({ when, size, thingId: `new-${index}` }));
            await put(now.filter(({ when }) => when === turn));
          }
          assert.equal(new Set(seen).size, seen.length);
          assert.equal(seen.filter((id) => id.startsWith('there-')).length, sizes.length);
        },
      ),
    ));

  it('end with null when nothing follows, also on a full page', async () => {
    const { page, put } = await opened();
    assert.deepEqual(await page({}), { items: [], next_cursor: null });
    await put([
      { thingId: 'a', size: 1 },
      { thingId: 'b', size: 2 },
    ]);
    assert.deepEqual(await page({ limit: 2 }), { items: ['b', 'a'], next_cursor: null });
  });

  it('say where the view stands', async () => {
    const { list } = await opened();
    assert.deepEqual(((await list({})) as JsonAnswer).headers, { Position: '7' });
  });

  it('show a tenant its own rows only', async () => {
    const { list, put } = await opened();
    await put([{ thingId: 'a', size: 1 }]);
    assert.deepEqual(((await list({}, 'other')) as JsonAnswer).body, { items: [], next_cursor: null });
  });

  it('accept whole limits from 1 to 200', () => {
    const query = pageQuery('Query', {});
    for (const limit of ['1', '50', '200'])
      assert.deepEqual(query.decode({ limit }), { _tag: 'Right', right: { limit: Number(limit) } });
    for (const limit of ['0', '201', '-1', '1.5', '1e2', '', ' 5', '0x10', '٣'])
      assert.ok(isLeft(query.decode({ limit })));
  });
});

describe('cursors', () => {
  const cursorOf = async ({ page, put }: Awaited<ReturnType<typeof opened>>, query: Query): Promise<string> => {
    await put(['red', 'blue', 'red', 'blue'].map((colour, size) => ({ thingId: `t-${size}`, size, colour })));
    const { next_cursor } = await page(query);
    assert.ok(next_cursor !== null);
    return next_cursor;
  };

  it('hold with another limit', async () => {
    const things = await opened();
    const cursor = await cursorOf(things, { limit: 1 });
    assert.deepEqual((await things.page({ limit: 3, cursor })).items, ['t-2', 't-1', 't-0']);
  });
  it('hold for no other filter', async () => {
    const things = await opened();
    const cursor = await cursorOf(things, { limit: 1 });
    assert.deepEqual(problemOf(await things.list({ cursor, colour: 'red' }))?.errors, refusal);
  });
  it('hold for no other tenant', async () => {
    const things = await opened();
    const cursor = await cursorOf(things, { limit: 1 });
    assert.equal(problemOf(await things.list({ cursor }, 'other'))?.status, 400);
  });
  it('hold for no other scope, key or version', () => {
    const cursor = cursors.write(['acme', 'listThings'], ['a', 1]);
    assert.ok(isRight(cursors.read(['acme', 'listThings'], cursor)));
    assert.ok(isLeft(cursors.read(['acme', 'listOthers'], cursor)));
    assert.ok(isLeft(cursorsSignedWith('l'.repeat(43)).read(['acme', 'listThings'], cursor)));
    assert.ok(isLeft(cursors.read(['acme', 'listThings'], cursor.replace('v1', 'v2'))));
  });
  it('give back what they were made of', () =>
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null))), (after) => {
        assert.deepEqual(cursors.read('scope', cursors.write('scope', after)), { _tag: 'Right', right: after });
      }),
    ));
  it('cannot be changed or made up', () =>
    fc.assert(
      fc.property(fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), fc.string(), (at, piece, made) => {
        const cursor = cursors.write('scope', ['2026-01-31T12:00:00.000Z', 'p-1']);
        const place = at % cursor.length;
        const changed = cursor.slice(0, place) + piece + cursor.slice(place + piece.length);
        assert.equal(isLeft(cursors.read('scope', changed)), changed !== cursor);
        assert.ok(isLeft(cursors.read('scope', made)));
      }),
    ));
});
