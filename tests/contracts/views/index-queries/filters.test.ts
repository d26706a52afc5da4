/** Filters, order and pages of index queries, on a real index of three shards. */
import assert from 'node:assert/strict';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Filter, IndexQuery, Sort } from '../../../../infra/ports/views/index-query';
import type { Scalar } from '../../../../infra/ports/views/view-store';
import { type PlaceRow, place } from '../../../support/domain/place-context';
import { ok } from '../suite/view-store';
import { forTwoTenants, idsOf, openPlaces, type Places, refusalOf, searching } from './fixture';

const day = (number: number): Instant => `2026-02-0${number}T00:00:00.000Z` as Instant;

/** Suva is on the other side of the antimeridian than Apia. */
const rows = forTwoTenants([
  place('a', {
    name: 'Café Zürich',
    category: 'cafe',
    location: { lat: 52.5, lon: 13.4 },
    openedAt: day(1),
    visits: 9,
  }),
  place('b', { name: 'Bar', category: 'bar', location: { lat: 52.5, lon: 13.41 }, openedAt: day(2), visits: 100 }),
  place('c', { category: 'cafe', location: { lat: 52.6, lon: 13.4 }, openedAt: day(3), rating: 4.5, visits: 11 }),
  place('d', { category: 'inn', location: { lat: -18.1, lon: 178.4 }, openedAt: day(4), tags: ['x'], open: false }),
  place('e', {
    category: 'inn',
    location: { lat: -13.8, lon: -171.8 },
    openedAt: day(5),
    tags: ['x', 'y'],
    rating: 0.5,
  }),
]);

const berlin = { lat: 52.5, lon: 13.4 };

describe('filters of index queries', () => {
  let places: Places;
  before(async () => {
    places = await openPlaces({ rows, shards: 3 });
  });
  after(() => places.close());
  const search = searching(() => places);

  const byId: readonly Sort<PlaceRow>[] = [{ by: 'field', field: 'placeId', direction: 'asc' }];
  const passing = async (filter: Filter<PlaceRow>): Promise<string> => idsOf(await search({ filter, sort: byId }));

  it('select all documents of the tenant without a filter, in the order of the key', async () => {
    assert.equal(idsOf(await search({})), 'abcde');
  });

  it('compare values, and find what has none', async () => {
    assert.equal(await passing({ kind: 'equals', field: 'category', value: 'inn' }), 'de');
    assert.equal(await passing({ kind: 'equals', field: 'category', value: ['bar', 'inn'] }), 'bde');
    assert.equal(await passing({ kind: 'equals', field: 'category', value: [] }), '');
    assert.equal(await passing({ kind: 'equals', field: 'rating', value: null }), 'abd');
    assert.equal(await passing({ kind: 'equals', field: 'rating', value: [null, 4.5] }), 'abcd');
    assert.equal(await passing({ kind: 'equals', field: 'open', value: false }), 'd');
    assert.equal(await passing({ kind: 'equals', field: 'tags', value: 'y' }), 'e');
    assert.equal(await passing({ kind: 'equals', field: 'name.exact', value: 'CAFE ZURICH' }), 'a');
    assert.equal(await passing({ kind: 'prefix', field: 'name.exact', text: 'cafe z' }), 'a');
  });

  it('bound numbers and dates', async () => {
    assert.equal(await passing({ kind: 'range', field: 'rating', from: 0.5, below: 4.5 }), 'e');
    assert.equal(await passing({ kind: 'range', field: 'rating', above: 0.5, to: 4.5 }), 'c');
    assert.equal(await passing({ kind: 'range', field: 'openedAt', from: day(2), below: day(4) }), 'bc');
  });

  it('combine', async () => {
    const [cafe, north] = [
      { kind: 'equals', field: 'category', value: 'cafe' },
      { kind: 'range', field: 'openedAt', from: day(3) },
    ] as const;
    assert.equal(await passing({ kind: 'all', of: [cafe, north] }), 'c');
    assert.equal(await passing({ kind: 'any', of: [cafe, north] }), 'acde');
    assert.equal(await passing({ kind: 'none', of: [cafe, north] }), 'b');
    assert.equal(await passing({ kind: 'any', of: [] }), '');
    assert.equal(await passing({ kind: 'all', of: [] }), 'abcde');
  });

  it('measure circles to the meter', async () => {
    // A hundredth of a degree of longitude at 52.5 degrees north is 677 m.
    assert.equal(await passing({ kind: 'distance', field: 'location', from: berlin, meters: 670 }), 'a');
    assert.equal(await passing({ kind: 'distance', field: 'location', from: berlin, meters: 680 }), 'ab');
  });

  it('know boxes, also across the antimeridian', async () => {
    const box = { kind: 'box', field: 'location' } as const;
    assert.equal(await passing({ ...box, south: 52, west: 13, north: 52.55, east: 13.405 }), 'a');
    assert.equal(await passing({ ...box, south: -20, west: 178, north: -10, east: -170 }), 'de');
  });

  it('sort by distance, with the meters', async () => {
    const sort = [{ by: 'distance', field: 'location', from: berlin, direction: 'asc' }] as const;
    const answer = await search({ sort });
    assert.equal(idsOf(answer).slice(0, 3), 'abc');
    const meters = answer.hits.map((hit) => Math.round(hit.sort[0] as number));
    assert.deepEqual([meters[0], meters[1], meters[2]], [0, 677, 11_120]);
  });

  it('sort by fields, with missing values first or last', async () => {
    const by = (direction: 'asc' | 'desc', missing?: 'first') =>
      [{ by: 'field', field: 'rating', direction, ...(missing && { missing }) }] as const;
    assert.equal(idsOf(await search({ sort: by('asc') })), 'ecabd');
    assert.equal(idsOf(await search({ sort: by('desc') })), 'ceabd');
    assert.equal(idsOf(await search({ sort: by('desc', 'first') })), 'abdce');
  });

  it('go on after a hit, without a gap and without a repeat', async () => {
    const sort = [{ by: 'field', field: 'category', direction: 'desc' }] as const;
    let seen = '';
    for (let after: readonly Scalar[] | undefined; ; ) {
      const page = await search({ sort, limit: 2, ...(after && { after }) });
      seen += idsOf(page);
      after = page.hits.at(-1)?.sort;
      if (page.hits.length < 2) break;
    }
    assert.equal(seen, 'deacb');
  });

  it('count up to the requested number', async () => {
    assert.equal((await search({})).total, undefined);
    assert.deepEqual((await search({ countUpTo: 100, limit: 0 })).total, { count: 5, isExact: true });
    assert.deepEqual((await search({ countUpTo: 2, limit: 0 })).total, { count: 2, isExact: false });
  });

  describe('with alternatives', () => {
    const noDocument = { kind: 'equals', field: 'category', value: 'castle' } as const;
    const inns = { kind: 'equals', field: 'category', value: 'inn' } as const;
    const near = { kind: 'distance', field: 'location', from: berlin, meters: 10 } as const;
    const alternative = async (query: Partial<IndexQuery<PlaceRow>>): Promise<number | undefined> =>
      (await search({ filter: noDocument, ...query })).alternative;

    it('say the first that documents pass, whatever their number', async () => {
      assert.equal(await alternative({ alternatives: [inns, near] }), 0);
      assert.equal(await alternative({ alternatives: [near, inns] }), 0);
      assert.equal(await alternative({ alternatives: [noDocument, near, inns] }), 1);
      const many = Array.from({ length: 15 }, () => noDocument);
      assert.equal(await alternative({ alternatives: [...many, inns] }), 15);
    });

    it('say none where no document passes, where there are none, and where the query finds documents', async () => {
      assert.equal(await alternative({ alternatives: [noDocument, noDocument] }), undefined);
      assert.equal(await alternative({ alternatives: [] }), undefined);
      assert.equal(await alternative({}), undefined);
      assert.equal(await alternative({ filter: near, alternatives: [inns] }), undefined);
    });

    it('measure circles to the meter, also across the antimeridian and a pole', async () => {
      const centers = [
        berlin,
        ...[180, -180, 179.9, -179.9].map((lon) => ({ lat: -16, lon })),
        ...[90, 89.99, -90].map((lat) => ({ lat, lon: 13.4 })),
      ];
      let passed = 0;
      for (const from of centers) {
        const sort = [{ by: 'distance', field: 'location', from, direction: 'asc' }] as const;
        for (const {
          sort: [value],
        } of (await search({ sort })).hits) {
          const distance = value as number;
          for (const meters of [distance - 1, distance + 1].filter((one) => one > 0)) {
            const circle = { kind: 'distance', field: 'location', from, meters } as const;
            const isPassed = (await passing(circle)) !== '';
            assert.equal(
              await alternative({ alternatives: [circle] }),
              isPassed ? 0 : undefined,
              JSON.stringify(circle),
            );
            passed += isPassed ? 1 : 0;
          }
        }
      }
      assert.ok(passed > 2 * centers.length);
    });

    it('see the documents of the tenant only', async () => {
      const { queries, view } = places;
      const otherTenant = ok(await queries.search(view, 'nobody', { limit: 1, alternatives: [inns, near] }));
      assert.deepEqual([otherTenant.hits, otherTenant.alternative], [[], undefined]);
    });

    it('ask in the same point in time', async () => {
      const { queries, view } = places;
      const pointInTime = ok(await queries.openPointInTime(view, 60));
      assert.equal(await alternative({ alternatives: [noDocument, inns], pointInTime }), 1);
      ok(await queries.closePointInTime(pointInTime));
    });

    it('are refused as filters are, and where there are more than 16', async () => {
      const { queries, view } = places;
      const refusal = async (alternatives: readonly Filter<PlaceRow>[]): Promise<string> =>
        refusalOf(await queries.search(view, 'acme', { limit: 1, filter: noDocument, alternatives }));
      assert.match(await refusal(Array.from({ length: 17 }, () => inns)), /number of alternatives .* to 16/);
      assert.match(await refusal([{ ...inns, field: 'nope' as 'category' }]), /no such field/);
      assert.match(await refusal([{ ...near, field: 'name' }]), /cannot be used here/);
      assert.match(await refusal([{ ...near, meters: Number.NaN }]), /finite/);
    });
  });

  it('leave out the fields that hits do not need', async () => {
    const { queries, view } = places;
    const [hit] = ok(await queries.search(view, 'acme', { limit: 1, omit: ['vector', 'notes'] })).hits;
    assert.ok(hit);
    assert.equal(Object.hasOwn(hit.row, 'vector'), false);
    assert.equal(hit.row.name, 'Café Zürich');
  });

  describe('in a point in time', () => {
    it('see the index as it was, page by page', async () => {
      const { queries, view, writer } = places;
      const opened = await queries.openPointInTime(view, 60);
      let pointInTime = ok(opened);
      const sort = [{ by: 'field', field: 'visits', direction: 'desc' }] as const;
      const first = await search({ sort, limit: 2, pointInTime });
      assert.equal(idsOf(first), 'bc');
      const late = { kind: 'put', row: place('f', { visits: 10 }) } as const;
      const plain = view as never;
      const { number, position } = ok(await writer.open(plain));
      const changes = [{ position: 20n, change: late as never }];
      ok(await writer.apply(plain, { generation: number, after: position, position: 20n, live: true, changes }));
      pointInTime = first.pointInTime ?? pointInTime;
      const after = first.hits.at(-1)?.sort ?? [];
      assert.equal(idsOf(await search({ sort, limit: 5, pointInTime, after })).slice(0, 1), 'a');
      assert.equal(idsOf(await search({ sort, limit: 3 })), 'bcf');
      ok(await queries.closePointInTime(pointInTime));
      ok(await queries.closePointInTime(pointInTime));
      assert.match(refusalOf(await queries.search(view, 'acme', { limit: 1, pointInTime })), /^point-in-time-expired/);
    });

    it('see one tenant, whoever opened it', async () => {
      const { queries, view } = places;
      const opened = await queries.openPointInTime(view, 60);
      const pointInTime = ok(opened);
      const answer = await searching(() => places, 'other')({ pointInTime });
      assert.equal(idsOf(answer).split('').sort().join(''), 'abcde');
      assert.equal(idsOf(await searching(() => places, 'nobody')({ pointInTime })), '');
      await queries.closePointInTime(pointInTime);
    });
  });
});
