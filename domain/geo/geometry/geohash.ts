/** Geohash cells (Niemeyer): base 32, longitude first, five bits a character. Cells group and cache; they never decide what is found. */
import { type GeoPoint, wrapLongitude } from './point';

const alphabet = '0123456789bcdefghjkmnpqrstuvwxyz';

export interface GeohashCell {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

/** The cell of a point: south and west edges belong to a cell, and those of the world's ends to the last ones. */
export const geohashOf = ({ lat, lng }: GeoPoint, length: number): string => {
  let [south, north, west, east] = [-90, 90, -180, 180];
  let text = '';
  let digit = 0;
  for (let bit = 0; bit < length * 5; bit += 1) {
    if (bit % 2 === 0) {
      const middle = (west + east) / 2;
      digit = digit * 2 + (lng >= middle ? 1 : 0);
      if (lng >= middle) west = middle;
      else east = middle;
    } else {
      const middle = (south + north) / 2;
      digit = digit * 2 + (lat >= middle ? 1 : 0);
      if (lat >= middle) south = middle;
      else north = middle;
    }
    if (bit % 5 === 4) {
      text += alphabet[digit];
      digit = 0;
    }
  }
  return text;
};

/** Undefined: not a geohash. */
export const geohashCell = (geohash: string): GeohashCell | undefined => {
  let [south, north, west, east] = [-90, 90, -180, 180];
  let isLongitude = true;
  for (const letter of geohash) {
    const digit = alphabet.indexOf(letter);
    if (digit < 0) return undefined;
    for (let bit = 16; bit >= 1; bit /= 2) {
      const isUpper = (digit & bit) !== 0;
      if (isLongitude && isUpper) west = (west + east) / 2;
      else if (isLongitude) east = (west + east) / 2;
      else if (isUpper) south = (south + north) / 2;
      else north = (south + north) / 2;
      isLongitude = !isLongitude;
    }
  }
  return { south, west, north, east };
};

/** The cells around, over the antimeridian; at a pole there are none beyond. */
export const geohashNeighbours = (geohash: string): readonly string[] => {
  const cell = geohashCell(geohash);
  if (cell === undefined) return [];
  const [height, width] = [cell.north - cell.south, cell.east - cell.west];
  const middle = { lat: (cell.south + cell.north) / 2, lng: (cell.west + cell.east) / 2 };
  const around = [-1, 0, 1].flatMap((up) => [-1, 0, 1].map((right) => ({ up, right })));
  const found = around.flatMap(({ up, right }) => {
    const lat = middle.lat + up * height;
    if (Math.abs(lat) > 90) return [];
    return [geohashOf({ lat, lng: wrapLongitude(middle.lng + right * width) }, geohash.length)];
  });
  return [...new Set(found)].filter((one) => one !== geohash);
};
