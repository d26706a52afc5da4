/** For searches that find nothing: whether places are where the coordinates would be with other signs, or in the other order. */
import { isLeft } from 'fp-ts/Either';
import type { GeoPoint } from '../../../domain/geo/geometry/point';
import type { Filter, IndexQueries } from '../../../infra/ports/views/index-query';
import { type PlaceIndexRow, placeIndexView } from '../../../projections/geo/place-index/view';
import type { PlaceSearch } from './parameters';

interface Suspicion {
  readonly point: GeoPoint;
  readonly warning: string;
}

const suspicionsOf = ({ lat, lng }: GeoPoint): readonly Suspicion[] => [
  { point: { lat, lng: -lng }, warning: 'Nothing is here, but there are places at the longitude with the other sign.' },
  { point: { lat: -lat, lng }, warning: 'Nothing is here, but there are places at the latitude with the other sign.' },
  ...(Math.abs(lng) <= 90
    ? [{ point: { lat: lng, lng: lat }, warning: 'Nothing is here, but there are places if lat and lng are swapped.' }]
    : []),
];

interface Asked {
  readonly indexes: Pick<IndexQueries, 'search'>;
  readonly tenantId: string;
  readonly signal: AbortSignal;
}

/** Of circles only: a box without places is seldom a mistake. */
export const hintsFor = async ({ indexes, tenantId, signal }: Asked, { area }: PlaceSearch): Promise<string[]> => {
  if (area.kind !== 'circle') return [];
  const { center, radius } = area;
  const around = ({ lat, lng }: GeoPoint): Filter<PlaceIndexRow> => ({
    kind: 'distance',
    field: 'location',
    from: { lat, lon: lng },
    meters: radius,
  });
  const suspicions = [
    { point: center, warning: 'There are places in this area, but none matches the words and filters.' },
    ...suspicionsOf(center),
  ];
  const found = await indexes.search(placeIndexView, tenantId, {
    limit: 0,
    filter: { kind: 'any', of: suspicions.map(({ point }) => around(point)) },
    aggregations: Object.fromEntries(
      suspicions.map(({ point }, at) => [String(at), { kind: 'filtered', filter: around(point) } as const]),
    ),
    acceptPartial: true,
    signal,
  });
  if (isLeft(found)) return [];
  const first = suspicions.find((_, at) => {
    const result = found.right.aggregations[String(at)];
    return result?.kind === 'filtered' && result.count > 0;
  });
  return first === undefined ? [] : [first.warning];
};
