/** Points of the earth in degrees, and the distance between them. */

export interface GeoPoint {
  /** -90 to 90. */
  readonly lat: number;
  /** -180 to 180; both ends are the same meridian. */
  readonly lng: number;
}

/** Mean radius of the earth in meters (IUGG); Lucene has the same. */
const earthRadius = 6_371_008.7714;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** A longitude of any size as one from -180 to 180. Those within stay as they are, 180 included. */
export const wrapLongitude = (lng: number): number => {
  if (Math.abs(lng) <= 180) return lng;
  const turned = (((lng + 180) % 360) + 360) % 360;
  return turned - 180;
};

/**
 * Great-circle distance in meters by the haversine formula. The shorter difference of longitudes is taken before any sine, so that points on
 * both sides of the antimeridian lose no digits.
 */
export const distanceMeters = (one: GeoPoint, other: GeoPoint): number => {
  const around = Math.abs(one.lng - other.lng);
  const lngDegrees = around > 180 ? 360 - around : around;
  const latSine = Math.sin(radians(one.lat - other.lat) / 2);
  const lngSine = Math.sin(radians(lngDegrees) / 2);
  const square = latSine ** 2 + Math.cos(radians(one.lat)) * Math.cos(radians(other.lat)) * lngSine ** 2;
  return 2 * earthRadius * Math.asin(Math.min(1, Math.sqrt(square)));
};

/** Meters as answers show them: whole, halves upwards. */
export const wholeMeters = (meters: number): number => Math.floor(meters + 0.5);

const earthCircumference = 2 * Math.PI * earthRadius;

/** Degrees of latitude that so many meters are. */
export const latitudeDegrees = (meters: number): number => (meters * 360) / earthCircumference;
