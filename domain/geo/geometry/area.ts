/** Circles and boxes on the earth. Both are exact, and their edges belong to them. */
import { distanceMeters, type GeoPoint, wrapLongitude } from './point';

export interface Circle {
  readonly kind: 'circle';
  readonly center: GeoPoint;
  readonly radius: number;
}

/** From `west` eastwards to `east`; where `west` is greater, across the antimeridian. All longitudes: -180 to 180. */
export interface Box {
  readonly kind: 'box';
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export type Area = Circle | Box;

/** A centimeter: points on the edge belong to a circle, whatever the arithmetic rounds. */
const edgeMeters = 0.01;

export const isInCircle = ({ center, radius }: Omit<Circle, 'kind'>, point: GeoPoint): boolean =>
  distanceMeters(center, point) <= radius + edgeMeters;

const isBetween = (west: number, east: number, lng: number): boolean =>
  west <= east ? west <= lng && lng <= east : west <= lng || lng <= east;

/** A pole has every longitude, and the antimeridian two. */
export const isInBox = ({ south, west, north, east }: Omit<Box, 'kind'>, { lat, lng }: GeoPoint): boolean => {
  if (lat < south || lat > north) return false;
  if (Math.abs(lat) === 90) return true;
  return isBetween(west, east, lng) || (Math.abs(lng) === 180 && isBetween(west, east, -lng));
};

export const isInArea = (area: Area, point: GeoPoint): boolean =>
  area.kind === 'circle' ? isInCircle(area, point) : isInBox(area, point);

/** Degrees eastwards from a longitude to another: 0 to 360. */
export const degreesEastwards = (west: number, east: number): number =>
  east >= west ? east - west : east - west + 360;

/**
 * A box of longitudes of any size. One that goes around the earth has all longitudes. Without an area, undefined: the east is on the west, or
 * the north not above the south.
 */
export const boxOf = (corners: Omit<Box, 'kind'>): Box | undefined => {
  const { south, north, west, east } = corners;
  if (!(south < north) || west === east) return undefined;
  if (east - west >= 360) return { kind: 'box', south, north, west: -180, east: 180 };
  const wrapped = { kind: 'box', south, north, west: wrapLongitude(west), east: wrapLongitude(east) } as const;
  return degreesEastwards(wrapped.west, wrapped.east) === 0 ? undefined : wrapped;
};

/** The middle of a box, and its distance to the farthest corner: what a decay over a box is scaled by. */
export const boxReach = ({ south, west, north, east }: Omit<Box, 'kind'>): { center: GeoPoint; radius: number } => {
  const center = { lat: (south + north) / 2, lng: wrapLongitude(west + degreesEastwards(west, east) / 2) };
  const corners = [south, north].map((lat) => distanceMeters(center, { lat, lng: west }));
  return { center, radius: Math.max(...corners) };
};
