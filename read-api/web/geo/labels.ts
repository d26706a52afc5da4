/** Words for what places are and where. */
import type { PlaceSearchResult, PlaceStatus } from '../../../packages/client/src/schemas';
import { numberOf } from '../kernel/format';

/** Of places that are not open for business as usual. */
export const closures: {
  readonly [status in PlaceStatus]?: { readonly label: string; readonly tone: 'warn' | 'bad' };
} = {
  temporarily_closed: { label: 'temporarily closed', tone: 'warn' },
  permanently_closed: { label: 'permanently closed', tone: 'bad' },
};

/** `winter_sports` */
export const spaced = (word: string): string => word.replaceAll(/[_.-]/g, ' ');

/** `Winter sports` */
export const titled = (word: string): string => `${word.slice(0, 1).toUpperCase()}${spaced(word.slice(1))}`;

export const distanceOf = (meters: number): string => {
  if (meters < 1_000) return `${meters} m`;
  const kilometers = meters / 1_000;
  return `${numberOf(kilometers < 10 ? Number(kilometers.toFixed(1)) : Math.round(kilometers))} km`;
};

/** To a meter. */
export const degreesOf = (degrees: number): string => String(Number(degrees.toFixed(5)));
export const pointText = ({ lat, lng }: { readonly lat: number; readonly lng: number }): string =>
  `${degreesOf(lat)}, ${degreesOf(lng)}`;

/** `Maine, US` below `Lisbon`: the short address of a town without the town's own name. Null: none. */
export const addressBeside = ({ name, snippet }: Pick<PlaceSearchResult, 'name' | 'snippet'>): string | null =>
  snippet?.startsWith(`${name}, `) === true ? snippet.slice(name.length + 2) : snippet;

/** `Lisbon, Maine, US`: the short address begins with the name where the place is a town. */
export const nameWithAddress = ({ name, snippet }: Pick<PlaceSearchResult, 'name' | 'snippet'>): string => {
  if (snippet === null) return name;
  return snippet.startsWith(`${name},`) ? snippet : `${name}, ${snippet}`;
};
