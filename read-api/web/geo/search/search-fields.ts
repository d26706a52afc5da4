/** A search as fields of the page's address, and its parameters. The server checks them. */
import type { Problem } from '../../kernel/problem';

/**
 * `near`: `latitude, longitude`, or the name of a place. `radius`: meters around it; without one, `box` is searched: `south,west,north,east`, and without a box the
 * whole earth. `place`: whose details are shown.
 */
export const searchFieldNames = [
  'query',
  'category',
  'open',
  'near',
  'radius',
  'box',
  'sort',
  'explain',
  'place',
] as const;
export type SearchFields = Readonly<Record<(typeof searchFieldNames)[number], string>>;

export const wholeEarth = '-90,-180,90,180';
const pageSize = 20;

/** Around a place or a town, in meters, until another radius is chosen. */
export const nearRadius = '5000';

const partsOf = (text: string): readonly string[] => text.split(',').map((part) => part.trim());

/** Distances of a box are measured from its middle. */
const middleOf = (box: string): readonly string[] => {
  const [south = 0, west = 0, north = 0, east = 0] = partsOf(box).map(Number);
  const middle = [(south + north) / 2, (west + east) / 2];
  return middle.every(Number.isFinite) ? middle.map((degrees) => degrees.toFixed(5)) : ['0', '0'];
};

/** Without a point it is around nothing: the box is searched. */
export const radiusOf = ({ near, radius }: Pick<SearchFields, 'near' | 'radius'>): string =>
  near.trim() === '' ? '' : radius;

/** Empty ones are left out. */
export const searchParameters = (fields: SearchFields) => {
  const { query, category, open, near, box, sort, explain } = fields;
  const radius = radiusOf(fields);
  const area = box === '' ? wholeEarth : box;
  const [lat = '', lng = ''] = near.trim() === '' ? middleOf(area) : partsOf(near);
  const where = radius === '' ? { bbox: area } : { radius_m: radius };
  const wanted = { lat, lng, ...where, query: query.trim(), category: category.trim(), open_now: open };
  return { ...wanted, sort, explain, limit: pageSize };
};

/** Undefined: it is no point. */
export const pointOf = (near: string): { readonly lat: number; readonly lng: number } | undefined => {
  const parts = partsOf(near);
  const [lat = Number.NaN, lng = Number.NaN] = parts.map((part) => (part === '' ? Number.NaN : Number(part)));
  return parts.length === 2 && Math.abs(lat) <= 90 && Number.isFinite(lng) ? { lat, lng } : undefined;
};

const nearText =
  'Near must be a town, or a latitude from -90 to 90 and a longitude from -180 to 180, such as 38.7, -9.1.';
const parameterTexts: { readonly [pointer: string]: string } = {
  '/query/lat': nearText,
  '/query/lng': nearText,
  '/query/radius_m': 'The distance must be a number of meters.',
  '/query/bbox': 'The area must be south,west,north,east in degrees.',
  '/query/query': 'The words must be visible letters.',
  '/query/category': 'The category must be visible letters.',
};

/** A refused search in the words of its form. */
export const searchProblemOf = (problem: Problem | undefined): Problem | undefined => {
  const texts = (problem?.errors ?? []).map(({ pointer }) => parameterTexts[pointer]);
  if (problem === undefined || texts.length === 0 || texts.includes(undefined)) return problem;
  return { ...problem, title: 'The search has a mistake', detail: [...new Set(texts)].join(' '), errors: [] };
};

/** Coordinates have no letters. */
export const isPlaceName = (near: string): boolean => /\p{L}/u.test(near);

/** `cafés near Lisbon` as people type it into one field; undefined: there is no such word in it. */
export const splitNear = (query: string): { readonly query: string; readonly near: string } | undefined => {
  const [, words, near] = /^(.*?\S)\s+near\s+(\S.*)$/i.exec(query.trim()) ?? [];
  return words === undefined || near === undefined ? undefined : { query: words, near };
};

/** Whether anything but the area narrows the search. */
export const isNarrowed = ({ query, category, open }: SearchFields): boolean =>
  query.trim() !== '' || category.trim() !== '' || open !== '';
