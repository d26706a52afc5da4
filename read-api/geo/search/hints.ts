/** For searches that find nothing: whether places are where the coordinates would be with other signs, or in the other order. */
import { distanceMeters, type GeoPoint } from '../../../domain/geo/geometry/point';
import type { Filter } from '../../../infra/ports/views/index-query';
import type { PlaceIndexRow } from '../../../projections/geo/place-index/view';
import type { PlaceSearch } from './parameters';

export interface Hint {
  /** Selects the places that the search may have meant. */
  readonly filter: Filter<PlaceIndexRow>;
  /** For the caller, if there are any. */
  readonly warning: string;
}

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

const matchesNone = 'There are places in this area, but none matches the words and filters.';

/** As exactly as the index knows points. */
const sameMeters = 0.01;

/** On the equator and the meridian, at the poles and on the antimeridian another sign is the same point. */
const isOther = ({ point }: Suspicion, center: GeoPoint): boolean => distanceMeters(point, center) > sameMeters;

const selectsSome = ({ words, category, isOpenNow }: PlaceSearch): boolean =>
  words !== '' || category !== undefined || isOpenNow;

/** The likeliest first. Of circles only: a box without places is seldom a mistake. */
export const hintsOf = (search: PlaceSearch): readonly Hint[] => {
  const { area } = search;
  if (area.kind !== 'circle') return [];
  const { center, radius } = area;
  const suspicions = [
    // A search for any place has just found that there are none.
    ...(selectsSome(search) ? [{ point: center, warning: matchesNone }] : []),
    ...suspicionsOf(center).filter((suspicion) => isOther(suspicion, center)),
  ];
  return suspicions.map(({ point: { lat, lng: lon }, warning }) => ({
    filter: { kind: 'distance', field: 'location', from: { lat, lon }, meters: radius },
    warning,
  }));
};
