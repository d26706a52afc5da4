/** GET /v1/search without stores: what it refuses, and that no answer and no log line repeats a coordinate. */
import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { dateOf } from '../../domain/geo/hours/open-at';
import { fault } from '../../domain/kernel/rejection';
import { cursorMilliseconds, searchCursors } from '../../read-api/geo/search/cursor';
import { localTimeIn } from '../../read-api/geo/search/open-now';
import { searchRoutes } from '../../read-api/geo/search/search-route';
import { sampleIdentity, startHttpService } from '../support/http/http-service';

const secret = 'k'.repeat(43);
const reader = { ...sampleIdentity, scopes: ['places:read'] };

/** Each with the pointers of its problem. */
const refused: readonly (readonly [string, readonly string[]])[] = [
  ['', ['/query/lat', '/query/lng']],
  ['lat=1', ['/query/lng']],
  ['lat=90.0001&lng=0', ['/query/lat']],
  ['lat=-90.0001&lng=0', ['/query/lat']],
  ['lat=0&lng=540.0001', ['/query/lng']],
  ['lat=0&lng=-540.0001', ['/query/lng']],
  ['lat=NaN&lng=Infinity', ['/query/lat', '/query/lng']],
  ['lat=1e3&lng=0x10', ['/query/lat', '/query/lng']],
  ['lat=1e&lng=1e1.5', ['/query/lat', '/query/lng']],
  ['lat=%201&lng=1,5', ['/query/lat', '/query/lng']],
  ['lat=1&lat=2&lng=3', ['/query/lat']],
  ['lat=1&lng=2&radius_m=0', ['/query/radius_m']],
  ['lat=1&lng=2&radius_m=50001', ['/query/radius_m']],
  ['lat=1&lng=2&radius_m=1.5', ['/query/radius_m']],
  ['lat=1&lng=2&radius_m=-1', ['/query/radius_m']],
  ['lat=1&lng=2&limit=0', ['/query/limit']],
  ['lat=1&lng=2&limit=51', ['/query/limit']],
  ['lat=1&lng=2&radius_m=5&bbox=0,0,1,1', ['/query/radius_m']],
  ['lat=1&lng=2&bbox=0,0,1', ['/query/bbox']],
  ['lat=1&lng=2&bbox=0,0,1,1,1', ['/query/bbox']],
  ['lat=1&lng=2&bbox=0,0,x,1', ['/query/bbox']],
  ['lat=1&lng=2&bbox=2,0,1,1', ['/query/bbox']],
  ['lat=1&lng=2&bbox=1,0,1,1', ['/query/bbox']],
  ['lat=1&lng=2&bbox=0,1,1,1', ['/query/bbox']],
  ['lat=1&lng=2&bbox=0,180,1,-180', ['/query/bbox']],
  ['lat=1&lng=2&bbox=100,0,120,1', ['/query/bbox']],
  ['lat=1&lng=2&bbox=0,0,1,541', ['/query/bbox']],
  ['lat=1&lng=2&bbox=0&bbox=0&bbox=1', ['/query/bbox']],
  ['lat=1&lng=2&open_now=yes', ['/query/open_now']],
  ['lat=1&lng=2&explain=true', ['/query/explain']],
  ['lat=1&lng=2&sort=best', ['/query/sort']],
  ['lat=1&lng=2&category=Caf%C3%A9', ['/query/category']],
  ['lat=1&lng=2&query=a&query=b', ['/query/query']],
  [`lat=1&lng=2&query=${'x'.repeat(257)}`, ['/query/query']],
  ['lat=1&lng=2&cursor=abc', ['/query/cursor']],
  ['lat=1&lng=2&radius=100', ['/query/radius']],
  ['lat=1&lng=2&100=radius', ['/query']],
  ['lat=%FF&lng=2', ['/query']],
];

const accepted = [
  'lat=90&lng=180&radius_m=1&limit=1',
  'lat=-90&lng=-540&radius_m=50000&limit=50',
  'lat=%2B1.5&lng=.5&bbox=0,170,1,-170',
  'lat=1e1&lng=-2.5E-9',
  'lat=1&lng=2&bbox=0&bbox=0&bbox=1&bbox=1',
  'lat=1&lng=2&bbox=-90,-180,90,180',
  'lat=1&lng=2&query=&open_now=false&explain=0&sort=distance&category=cafe',
  `lat=1&lng=2&query=${'x'.repeat(256)}`,
];

interface Body {
  readonly errors?: readonly { readonly pointer: string; readonly expected: string }[];
}

describe('input of the search for places', () => {
  let service: Awaited<ReturnType<typeof startHttpService>>;
  const empty = { hits: [], total: undefined, aggregations: {}, timedOut: false, isPartial: false };
  let isOff = false;
  before(async () => {
    const off = left(fault('view-store-unavailable', 'It is off.'));
    const search = async () => (isOff ? off : right({ ...empty, shards: { total: 1, failed: [] } }));
    service = await startHttpService(
      searchRoutes({
        positions: { current: async () => right(7n), reached: async () => right(7n) },
        cards: async () => ({ cards: [], isWhole: true }),
        indexes: {
          search,
          openPointInTime: async () => off,
          closePointInTime: async () => off,
          close: async () => undefined,
        } as never,
        timeZones: async () => [],
        cursors: searchCursors(secret),
        clock: { now: () => new Date(0).toISOString() as never },
      }),
    );
  });
  after(() => service.close());
  const search = (query: string) => service.call(`/v1/search${query === '' ? '' : `?${query}`}`, { identity: reader });

  for (const [query, pointers] of refused)
    it(`refuses ${query.slice(0, 60) || 'nothing'}`, async () => {
      const answer = await search(query);
      const body = (await answer.json()) as Body;
      assert.equal(answer.status, 400);
      assert.deepEqual(
        body.errors?.map(({ pointer }) => pointer),
        pointers,
      );
    });

  it('accepts each bound', async () => {
    for (const query of accepted) {
      const answer = await search(query);
      assert.equal(answer.status, 200, `${query} ${await answer.text()}`);
    }
  });

  it('says where coordinates may be swapped', async () => {
    const expectedOf = async (query: string) =>
      ((await (await search(query)).json()) as Body).errors?.[0]?.expected ?? '';
    assert.match(await expectedOf('lat=1&lng=2&bbox=100,0,120,1'), /may be swapped/);
    assert.match(await expectedOf('lat=1&lng=2&bbox=2,0,1,1'), /may be swapped/);
    assert.match(await expectedOf('lat=100&lng=50'), /are swapped/);
  });

  it('needs the scope', async () => {
    const identity = { ...reader, scopes: ['things:read'] };
    assert.equal((await service.call('/v1/search?lat=1&lng=2', { identity })).status, 403);
  });

  it('wraps longitudes and says so', async () => {
    const { searched } = (await (await search('lat=1&lng=190')).json()) as { searched: object };
    assert.deepEqual(searched, { lat: 1, lng: -170, radius_m: 5_000 });
  });

  it('answers 503 without an index, never an empty page', async () => {
    isOff = true;
    assert.equal((await search('lat=1&lng=2')).status, 503);
    isOff = false;
  });

  it('keeps coordinates out of problems and logs', async () => {
    const secretly = ['12.345678', '98.765432'];
    const problems = [
      `lat=${secretly[0]}&lng=${secretly[1]}&radius_m=0`,
      `lat=${secretly[0]}&lng=${secretly[1]}&limit=${secretly[0]}`,
      `lat=${secretly[1]}&lng=1`,
      `lat=${secretly[0]}&lng=1&bbox=${secretly[1]},0,1,1`,
      `lat=1&lng=2&${secretly[0]}=${secretly[1]}`,
    ];
    for (const query of problems) {
      const text = await (await search(query)).text();
      for (const value of secretly) assert.ok(!text.includes(value), text);
    }
    const logged = JSON.stringify(service.log.lines);
    for (const value of secretly) assert.ok(!logged.includes(value));
    assert.doesNotMatch(await (await fetch(`${service.url}/metrics`)).text(), /12\.345678|98\.765432/);
  });
});

describe('cursors of searches', () => {
  const cursors = searchCursors(secret);
  const position = { order: 'rank' as const, after: [0.25, 12.5, 'a-place-of-the-last-page'], startedAt: 1_000 };
  const cursor = cursors.write(['acme', { a: 1 }], position);

  it('come back as they were', () =>
    assert.deepEqual(cursors.read(['acme', { a: 1 }], cursor, 2_000), right(position)));

  it('differ each time, and hide what they hold', () => {
    assert.notEqual(cursors.write(['acme', { a: 1 }], position), cursor);
    assert.ok(!Buffer.from(cursor, 'base64url').toString('latin1').includes('a-place-of-the-last-page'));
  });

  it('expire', () => {
    const statusAt = (now: number) => {
      const read = cursors.read(['acme', { a: 1 }], cursor, now);
      return read._tag === 'Left' ? read.left.problem.status : 200;
    };
    assert.deepEqual([1_000 + cursorMilliseconds, 1_001 + cursorMilliseconds].map(statusAt), [200, 410]);
  });

  it('hold for one scope and one secret', () => {
    for (const read of [
      cursors.read(['acme', { a: 2 }], cursor, 0),
      searchCursors('o'.repeat(43)).read(['acme', { a: 1 }], cursor, 0),
    ])
      assert.equal(read._tag === 'Left' && read.left.problem.status, 400);
  });
});

describe('local time', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['Europe/Berlin', '2026-03-29T00:59:00Z', '2026-03-29 119'],
    ['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29 180'],
    ['Europe/Berlin', '2026-10-25T00:30:00Z', '2026-10-25 150'],
    ['Europe/Berlin', '2026-10-25T01:30:00Z', '2026-10-25 150'],
    ['America/New_York', '2026-01-01T04:59:00Z', '2025-12-31 1439'],
    ['Asia/Kolkata', '2026-01-01T18:30:00Z', '2026-01-02 0'],
    ['Pacific/Kiritimati', '2026-01-01T10:00:00Z', '2026-01-02 0'],
    ['UTC', '2026-01-01T00:00:59Z', '2026-01-01 0'],
  ];
  for (const [zone, instant, expected] of table)
    it(`is ${expected} in ${zone} at ${instant}`, () => {
      const { epochDay, minute } = localTimeIn(zone, Date.parse(instant));
      assert.equal(`${dateOf(epochDay)} ${minute}`, expected);
    });
});
