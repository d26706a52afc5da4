/** The query of `GET /v1/search`: each parameter by itself, then what they mean together. Problems name fields and never repeat values. */
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Area, boxOf, boxReach } from '../../../domain/geo/geometry/area';
import { type GeoPoint, wrapLongitude } from '../../../domain/geo/geometry/point';
import { Category } from '../../../domain/geo/place/place';
import { foldedText } from '../../../domain/geo/ranking/folding';
import { described, type InputFault, oneOf, record, text } from '../../../domain/kernel/codec';
import { invalidInput, type Problem } from '../../../infra/server/http/problem';
import { decimalParameter, readDecimal } from '../../../infra/server/http/routing/decimal-parameter';
import { integerParameter } from '../../../infra/server/http/routing/integer-parameter';

const defaultRadius = 5_000;
const maxRadius = 50_000;
const defaultLimit = 20;
const maxLimit = 50;

/** Longitudes of any turn around the earth are wrapped; larger ones are mistakes. */
const maxLongitude = 540;

const Lat = decimalParameter('a latitude in degrees from -90 to 90; if it is a longitude, lat and lng are swapped', {
  minimum: -90,
  maximum: 90,
});
const Lng = decimalParameter(`a longitude in degrees from -${maxLongitude} to ${maxLongitude}`, {
  minimum: -maxLongitude,
  maximum: maxLongitude,
});
const RadiusM = integerParameter(`a whole number of meters from 1 to ${maxRadius}`, {
  minimum: 1,
  maximum: maxRadius,
  fallback: defaultRadius,
});
const Limit = integerParameter(`a whole number from 1 to ${maxLimit}`, {
  minimum: 1,
  maximum: maxLimit,
  fallback: defaultLimit,
  maxDigits: 3,
});

const flag = (name: string, words: { readonly [word: string]: boolean }) =>
  described(
    new t.Type<boolean, string, unknown>(
      name,
      t.boolean.is,
      (value, context) =>
        typeof value === 'string' && Object.hasOwn(words, value)
          ? t.success(words[value] === true)
          : t.failure(value, context),
      String,
    ),
    { type: 'string', enum: Object.keys(words) },
  );

/** In the order of the query: south, west, north, east. */
type Corners = readonly [south: number, west: number, north: number, east: number];

const boxShape = 'four numbers minLat,minLng,maxLat,maxLng, separated by commas or in four bbox parameters';
const Bbox = described(
  new t.Type<Corners, string, unknown>(
    boxShape,
    (value): value is Corners => Array.isArray(value) && value.length === 4,
    (value, context) => {
      const parts: unknown = typeof value === 'string' ? value.split(',') : value;
      if (!Array.isArray(parts) || parts.length !== 4) return t.failure(value, context);
      const numbers = parts.map(readDecimal);
      return numbers.includes(undefined) ? t.failure(value, context) : t.success(numbers as unknown as Corners);
    },
    String,
  ),
  { type: 'string', description: 'minLat,minLng,maxLat,maxLng', examples: ['52.3,13.1,52.7,13.8'] },
);

export const SearchQuery = record(
  'PlaceSearch',
  { lat: Lat, lng: Lng },
  {
    radius_m: RadiusM,
    bbox: Bbox,
    query: text('SearchText', { content: 'any', minLength: 0, maxLength: 256 }),
    category: Category,
    open_now: flag('true or false', { true: true, false: false }),
    sort: oneOf('SearchOrder', ['rank', 'distance']),
    explain: flag('1 or 0', { 1: true, 0: false }),
    cursor: text('SearchCursor', { maxLength: 2_048 }),
    limit: Limit,
  },
);
type Decoded = t.TypeOf<typeof SearchQuery>;

/** A search, with defaults, wrapped longitudes and folded text. */
export interface PlaceSearch {
  /** Where distances are measured from. */
  readonly origin: GeoPoint;
  readonly area: Area;
  /** Meters that the decay of distance is scaled by: the circle's radius, or a box's reach. */
  readonly reach: number;
  /** Folded; empty without words. */
  readonly words: string;
  readonly category: string | undefined;
  readonly isOpenNow: boolean;
  readonly sort: 'rank' | 'distance';
  readonly explain: boolean;
  readonly limit: number;
}

const boxFault = (expected: string): InputFault => ({ pointer: '/query/bbox', expected });
const isLatitude = (degrees: number): boolean => Math.abs(degrees) <= 90;
const isLongitude = (degrees: number): boolean => Math.abs(degrees) <= maxLongitude;

const boxFaults = ([south, west, north, east]: Corners): readonly InputFault[] => {
  if (!isLatitude(south) || !isLatitude(north)) {
    const isSwapped = [west, east].every(isLatitude) && [south, north].every(isLongitude);
    const hint = isSwapped ? '; latitudes and longitudes may be swapped' : '';
    return [boxFault(`latitudes from -90 to 90 in the first and third place${hint}`)];
  }
  if (!isLongitude(west) || !isLongitude(east))
    return [boxFault(`longitudes from -${maxLongitude} to ${maxLongitude} in the second and fourth place`)];
  if (south > north) return [boxFault('minLat below maxLat; the corners or their signs may be swapped')];
  if (south === north || west === east) return [boxFault('a box with an area')];
  return [];
};

const areaOf = ({ bbox, radius_m: radius = defaultRadius }: Decoded, center: GeoPoint): Area | undefined => {
  if (bbox === undefined) return { kind: 'circle', center, radius };
  const [south, west, north, east] = bbox;
  return boxOf({ south, west, north, east });
};

export const searchOf = (query: Decoded): Either<Problem, PlaceSearch> => {
  const { bbox, radius_m: radius, sort = 'rank', limit = defaultLimit } = query;
  const faults: InputFault[] = [];
  if (bbox !== undefined && radius !== undefined)
    faults.push({ pointer: '/query/radius_m', expected: 'either this or bbox, not both' });
  faults.push(...(bbox === undefined ? [] : boxFaults(bbox)));
  const origin = { lat: query.lat, lng: wrapLongitude(query.lng) };
  const area = faults.length > 0 ? undefined : areaOf(query, origin);
  if (area === undefined) return left(invalidInput(faults.length > 0 ? faults : [boxFault('a box with an area')]));
  return right({
    origin,
    area,
    reach: area.kind === 'circle' ? area.radius : boxReach(area).radius,
    words: foldedText(query.query ?? ''),
    category: query.category,
    isOpenNow: query.open_now ?? false,
    sort,
    explain: query.explain ?? false,
    limit,
  });
};
