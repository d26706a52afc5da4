/** Aggregations of index queries, on a real index. */
import assert from 'node:assert/strict';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Aggregation } from '../../../../infra/ports/views/index-query';
import { type PlaceRow, place } from '../../../support/domain/place-context';
import { forTwoTenants, openPlaces, type Places, searching } from './fixture';

const at = (day: string): Instant => `2026-${day}T10:00:00.000Z` as Instant;

const rows = [
  ...forTwoTenants([
    place('a', { category: 'cafe', rating: 4, visits: 1, openedAt: at('01-05'), location: { lat: 0, lon: 0 } }),
    place('b', { category: 'cafe', rating: 2, visits: 25, openedAt: at('01-20'), location: { lat: 0, lon: 0.02 } }),
    place('c', { category: 'bar', rating: null, visits: 12, openedAt: at('03-01'), location: { lat: 45, lon: 90 } }),
  ]),
  place('z', { tenantId: 'other', category: 'secret', visits: 1_000 }),
];

describe('aggregations of index queries', () => {
  let places: Places;
  before(async () => {
    places = await openPlaces({ rows, shards: 2 });
  });
  after(() => places.close());
  const search = searching(() => places);

  const resultOf = async (aggregation: Aggregation<PlaceRow>) =>
    (await search({ limit: 0, aggregations: { '[its > name]': aggregation } })).aggregations['[its > name]'];
  const countsOf = async (aggregation: Aggregation<PlaceRow>) => {
    const result = await resultOf(aggregation);
    if (result?.kind !== 'buckets') assert.fail('it has buckets');
    return result.buckets.map(({ key, count }) => [key, count]);
  };

  it('count terms of one tenant only', async () => {
    assert.deepEqual(await countsOf({ kind: 'terms', field: 'category', size: 10 }), [
      ['cafe', 2],
      ['bar', 1],
    ]);
    const one = await resultOf({ kind: 'terms', field: 'category', size: 1 });
    assert.deepEqual(one?.kind === 'buckets' && one.otherCount, 1);
  });

  it('count ranges, intervals and dates', async () => {
    const ranges = [
      { key: 'few', to: 12 },
      { key: 'many', from: 12 },
    ];
    assert.deepEqual(await countsOf({ kind: 'ranges', field: 'visits', ranges }), [
      ['few', 1],
      ['many', 2],
    ]);
    assert.deepEqual(await countsOf({ kind: 'histogram', field: 'visits', interval: 10 }), [
      [0, 1],
      [10, 1],
      [20, 1],
    ]);
    const months = await countsOf({ kind: 'dates', field: 'openedAt', interval: 'month' });
    assert.deepEqual(months, [
      [Date.parse('2026-01-01'), 2],
      [Date.parse('2026-03-01'), 1],
    ]);
  });

  it('count distances and tiles', async () => {
    const from = { lat: 0, lon: 0 };
    const meters = [1_000, 5_000];
    const distances = await countsOf({ kind: 'distances', field: 'location', from, meters });
    assert.deepEqual(distances, [
      ['0-1000', 1],
      ['1000-5000', 1],
    ]);
    assert.deepEqual(await countsOf({ kind: 'tiles', field: 'location', zoom: 1, size: 5 }), [
      ['1/1/1', 2],
      ['1/1/0', 1],
    ]);
  });

  it('measure numbers', async () => {
    const stats = await resultOf({ kind: 'stats', field: 'rating' });
    assert.deepEqual(stats, { kind: 'stats', count: 2, minimum: 2, maximum: 4, average: 3, sum: 6 });
    assert.deepEqual(await resultOf({ kind: 'cardinality', field: 'category' }), { kind: 'cardinality', value: 2 });
    const middle = await resultOf({ kind: 'percentiles', field: 'visits', percents: [50] });
    assert.deepEqual(middle, { kind: 'percentiles', values: [{ percent: 50, value: 12 }] });
  });

  it('nest', async () => {
    const within = { best: { kind: 'stats', field: 'rating' } } as const;
    const result = await resultOf({ kind: 'terms', field: 'category', size: 1, within });
    const bucket = result?.kind === 'buckets' ? result.buckets[0] : undefined;
    assert.equal(bucket?.within.best?.kind === 'stats' && bucket.within.best.maximum, 4);
    const cafe = { kind: 'equals', field: 'category', value: 'cafe' } as const;
    const filtered = await resultOf({ kind: 'filtered', filter: cafe, within });
    assert.equal(filtered?.kind === 'filtered' && filtered.count, 2);
  });

  it('are empty where nothing passes', async () => {
    const filter = { kind: 'equals', field: 'category', value: 'secret' } as const;
    const stats = { kind: 'stats', field: 'rating' } as const;
    const answer = await search({ limit: 0, filter, aggregations: { stats } });
    const nothing = { kind: 'stats', count: 0, minimum: null, maximum: null, average: null, sum: 0 };
    assert.deepEqual(answer.aggregations.stats, nothing);
  });
});
