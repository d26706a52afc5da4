/** Which hints a search has when it finds nothing, and in which order. */
import assert from 'node:assert/strict';
import type { GeoPoint } from '../../domain/geo/geometry/point';
import { hintsOf } from '../../read-api/geo/search/hints';
import type { PlaceSearch } from '../../read-api/geo/search/parameters';

const around = (center: GeoPoint, fields: Partial<PlaceSearch> = {}): PlaceSearch => ({
  origin: center,
  area: { kind: 'circle', center, radius: 5_000 },
  reach: 5_000,
  words: '',
  category: undefined,
  isOpenNow: false,
  sort: 'rank',
  explain: false,
  limit: 20,
  ...fields,
});

const noMatch = 'There are places in this area, but none matches the words and filters.';
const otherLongitude = 'Nothing is here, but there are places at the longitude with the other sign.';
const otherLatitude = 'Nothing is here, but there are places at the latitude with the other sign.';
const swapped = 'Nothing is here, but there are places if lat and lng are swapped.';

/** Each as its warning and the point that it looks at. */
const looks = (search: PlaceSearch): readonly (readonly [string, number, number])[] =>
  hintsOf(search).map(({ filter, warning }) => {
    assert.ok(filter.kind === 'distance');
    assert.deepEqual([filter.field, filter.meters], ['location', 5_000]);
    return [warning, filter.from.lat, filter.from.lon];
  });

describe('hints of searches that find nothing', () => {
  const berlin = { lat: 52.5, lng: 13.4 };
  const elsewhere = [
    [otherLongitude, 52.5, -13.4],
    [otherLatitude, -52.5, 13.4],
    [swapped, 13.4, 52.5],
  ] as const;

  it('look at other signs, and then at the other order', () => {
    assert.deepEqual(looks(around(berlin)), elsewhere);
  });

  for (const [what, fields] of [
    ['words', { words: 'cafe' }],
    ['a category', { category: 'cafe' }],
    ['open places', { isOpenNow: true }],
  ] as const)
    it(`look first at the same area without its filters, where the search is for ${what}`, () => {
      assert.deepEqual(looks(around(berlin, fields)), [[noMatch, 52.5, 13.4], ...elsewhere]);
    });

  it('are those of circles only', () => {
    const box = { kind: 'box', south: 52, west: 13, north: 53, east: 14 } as const;
    assert.deepEqual(looks(around(berlin, { area: box, words: 'cafe' })), []);
  });

  it('do not swap what would be no latitude', () => {
    assert.deepEqual(looks(around({ lat: 52.5, lng: 90.5 })).at(-1), [otherLatitude, -52.5, 90.5]);
    assert.deepEqual(looks(around({ lat: 52.5, lng: -90 })).at(-1), [swapped, -90, 52.5]);
  });

  it('do not look at the same point again', () => {
    const warningsAt = (lat: number, lng: number) => looks(around({ lat, lng })).map(([warning]) => warning);
    for (const lng of [180, -180]) assert.deepEqual(warningsAt(52.5, lng), [otherLatitude]);
    for (const lat of [90, -90]) {
      assert.deepEqual(warningsAt(lat, 120), [otherLatitude]);
      assert.deepEqual(warningsAt(lat, 13.4), [otherLatitude, swapped]);
    }
    assert.deepEqual(warningsAt(0, 13.4), [otherLongitude, swapped]);
    assert.deepEqual(warningsAt(13.4, 0), [otherLatitude, swapped]);
    assert.deepEqual(warningsAt(13.4, 13.4), [otherLongitude, otherLatitude]);
    assert.deepEqual(warningsAt(0, 0), []);
    // Not the same, however near.
    assert.deepEqual(warningsAt(52.5, 179.9999), [otherLongitude, otherLatitude]);
  });
});
