/** What a search is to find, by reading every place: the measure of recall and order. */
import { type Area, boxOf, boxReach, isInArea } from '../../../domain/geo/geometry/area';
import { distanceMeters, type GeoPoint, latitudeDegrees, wrapLongitude } from '../../../domain/geo/geometry/point';
import type { Place } from '../../../domain/geo/place/place';
import { foldedText } from '../../../domain/geo/ranking/folding';
import { compareRanked, popularityShare, type Ranked, rankOf, ratingShare } from '../../../domain/geo/ranking/rank';
import { textClassOf } from '../../../domain/geo/ranking/text-class';
import { indexFieldsOf } from '../../../projections/geo/place-index/project';
import type { Parameters } from './search-stage';

export interface OracleSearch {
  readonly origin: GeoPoint;
  readonly area: Area;
  readonly query?: string;
  readonly category?: string;
}

export const parametersOf = ({ origin, area, query, category }: OracleSearch): Parameters => ({
  ...origin,
  ...(area.kind === 'circle'
    ? { radius_m: area.radius }
    : { bbox: [area.south, area.west, area.north, area.east].join(',') }),
  ...(query === undefined ? {} : { query }),
  ...(category === undefined ? {} : { category }),
});

/** The best first. */
export const oracle = (
  places: readonly Place[],
  { origin, area, query = '', category }: OracleSearch,
): readonly Ranked[] => {
  const radius = area.kind === 'circle' ? area.radius : boxReach(area).radius;
  const words = foldedText(query);
  const found = places.flatMap((place): Ranked[] => {
    if (!isInArea(area, place) || (category !== undefined && place.category !== category)) return [];
    const textClass = words === '' ? null : textClassOf(words, indexFieldsOf(place));
    if (textClass === undefined) return [];
    const meters = distanceMeters(origin, place);
    const { score } = rankOf({
      meters,
      radius,
      textClass,
      popularityShare: popularityShare(place.popularity),
      ratingShare: ratingShare(place.rating),
      isPermanentlyClosed: place.status === 'permanently_closed',
    });
    return [{ score, meters, entityId: place.entityId }];
  });
  return found.toSorted(compareRanked);
};

/** The same numbers in every run (Park and Miller), from 0 to 1. */
export const randomNumbers = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const clamp = (most: number, value: number): number => Math.max(-most, Math.min(most, value));

/** Borders of geohash cells of several lengths, poles, the antimeridian and the prime meridian, and what is 1e-9 degrees beside them. */
const nearBorder = (random: () => number, most: number): number => {
  const cells = 2 ** Math.floor(random() * 22);
  const border = -most + ((2 * most) / cells) * Math.floor(random() * (cells + 1));
  const beside = [-1e-9, 0, 1e-9][Math.floor(random() * 3)] as number;
  return clamp(most, border + beside);
};

/** A third near borders, a third near a pole or the antimeridian, a third anywhere. */
export const edgePoint = (random: () => number): GeoPoint => {
  const kind = random();
  if (kind < 1 / 3) return { lat: nearBorder(random, 90), lng: nearBorder(random, 180) };
  const jitter = (): number => (random() < 0.2 ? 0 : (random() - 0.5) * 10 ** -Math.floor(random() * 9));
  if (kind < 2 / 3) {
    const lat = random() < 0.5 ? (random() < 0.5 ? 90 : -90) : (random() - 0.5) * 178;
    return { lat: clamp(90, lat + jitter()), lng: wrapLongitude((random() < 0.5 ? 180 : -180) + jitter()) };
  }
  return { lat: (random() - 0.5) * 180, lng: (random() - 0.5) * 360 };
};

/** Near the point, so that searches around it find something and miss something. */
export const beside = (random: () => number, { lat, lng }: GeoPoint, meters: number): GeoPoint => {
  const degrees = latitudeDegrees(meters) * random();
  const angle = random() * 2 * Math.PI;
  const wide = Math.max(0.01, Math.cos((lat * Math.PI) / 180));
  return {
    lat: clamp(90, lat + degrees * Math.cos(angle)),
    lng: wrapLongitude(lng + (degrees * Math.sin(angle)) / wide),
  };
};

/** Around one of the points, at times with that point or another exactly on its edge. */
export const edgeSearch = (random: () => number, points: readonly GeoPoint[]): OracleSearch => {
  const pick = (): GeoPoint => points[Math.floor(random() * points.length)] as GeoPoint;
  const center = random() < 0.5 ? edgePoint(random) : beside(random, pick(), 20_000 * random());
  if (random() < 0.5) {
    const radius = Math.max(1, Math.floor(random() < 0.5 ? 50_000 * random() : 100 * random()));
    return { origin: center, area: { kind: 'circle', center, radius } };
  }
  const [height, width] = [random() * 0.5, random() * 0.5 * (random() < 0.1 ? 400 : 1)];
  const onEdge = random() < 0.3 ? pick() : center;
  const south = clamp(90, onEdge.lat);
  const box = boxOf({ south, north: clamp(90, south + height), west: onEdge.lng, east: onEdge.lng + width });
  return box === undefined ? edgeSearch(random, points) : { origin: center, area: box };
};
