/** What a map shows, as searches take it: `south,west,north,east`. */
import { degreesOf } from '../labels';

export interface Box {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export interface Point {
  readonly lat: number;
  readonly lng: number;
}

/** The map's projection ends here; what lies beyond belongs to its edge. */
const lastLatitude = 85.05;

const wrapped = (lng: number): number => ((((lng + 180) % 360) + 360) % 360) - 180;

/** Its west is from -180 to 180, its east up to 360 degrees further. */
export const boxText = ({ south, west, north, east }: Box): string => {
  const rows = { south: south <= -lastLatitude ? -90 : south, north: north >= lastLatitude ? 90 : north };
  const isAround = east - west >= 360;
  const start = isAround ? -180 : wrapped(west);
  const end = isAround ? 180 : start + east - west;
  return [rows.south, start, rows.north, end].map(degreesOf).join(',');
};

/** Undefined: the text is no box. */
export const boxOf = (text: string): Box | undefined => {
  const parts = text.split(',');
  const [south = 0, west = 0, north = 0, east = 0] = parts.map(Number);
  const isBox = parts.length === 4 && [south, west, north, east].every(Number.isFinite) && south < north && west < east;
  return isBox ? { south, west, north, east } : undefined;
};

/** Longitudes repeat; the one that is nearest to the map's middle is shown. */
export const nearestLongitude = (lng: number, middle: number): number => lng + 360 * Math.round((middle - lng) / 360);

/** The largest of some lengths, in meters, that fits into a width. */
export const scaleLength = (metersOfWidth: number): number => {
  const power = 10 ** Math.floor(Math.log10(metersOfWidth));
  return power * ([5, 2].find((factor) => factor * power <= metersOfWidth) ?? 1);
};

/**
 * A ring of land without the jump at the antimeridian: longitudes go on beyond 180. One that goes around the earth, as Antarctica's, is
 * closed along its pole.
 */
export const unwrapRing = (ring: readonly Point[]): readonly Point[] => {
  let turn = 0;
  const points = ring.map(({ lat, lng }, at) => {
    const step = lng - (ring[at - 1]?.lng ?? lng);
    if (Math.abs(step) > 180) turn -= Math.sign(step) * 360;
    return { lat, lng: lng + turn };
  });
  const [first, last] = [points[0], points.at(-1)];
  if (turn === 0 || first === undefined || last === undefined) return points;
  const pole = first.lat < 0 ? -90 : 90;
  return [...points, { lat: pole, lng: last.lng }, { lat: pole, lng: first.lng }, first];
};
