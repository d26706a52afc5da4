/** The same place from several sources: the same name and category, a few steps apart. An answer shows the one that ranks first. */
import { geohashNeighbours, geohashOf } from '../geometry/geohash';
import { distanceMeters, type GeoPoint } from '../geometry/point';

/** Beyond it two branches of a chain may stand in one street. */
const twinMeters = 50;
/** Cells of about 150 m at the equator and 50 m at 70 degrees: twins are in one cell or in neighbours. */
const cellLength = 7;

export interface PossibleTwin {
  /** The first of the folded names. */
  readonly foldedName: string;
  readonly category: string;
  readonly source: string;
  readonly point: GeoPoint;
}

const keyIn = ({ foldedName, category }: PossibleTwin, cell: string): string => `${cell}|${category}|${foldedName}`;

export const twinKeyOf = (place: PossibleTwin): string => keyIn(place, geohashOf(place.point, cellLength));

/** Where twins of the place may be. */
export const twinKeysAround = (place: PossibleTwin): readonly string[] => {
  const cell = geohashOf(place.point, cellLength);
  return [cell, ...geohashNeighbours(cell)].map((one) => keyIn(place, one));
};

/** Sources know their own places: two of one source are two. */
export const areTwins = (one: PossibleTwin, other: PossibleTwin): boolean =>
  one.source !== other.source &&
  one.category === other.category &&
  one.foldedName === other.foldedName &&
  one.foldedName !== '' &&
  distanceMeters(one.point, other.point) <= twinMeters;

/** The folded name in a key. */
export const twinNameOf = (key: string): string => key.split('|').slice(2).join('|');
