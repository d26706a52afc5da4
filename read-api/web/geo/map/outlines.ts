/** Land and borders of the world, from Natural Earth: they come with the console, so no other server learns where people look. */
import type { MultiLineString, MultiPolygon, Position } from 'geojson';
import { merge, mesh } from 'topojson-client';
import type { MultiPolygon as Areas, GeometryCollection, Polygon, Topology } from 'topojson-specification';
import { unwrapRing } from './area';

type World = Topology<{
  readonly countries: GeometryCollection;
  readonly land: GeometryCollection & { readonly geometries: (Polygon | Areas)[] };
}>;

export interface Outlines {
  readonly land: MultiPolygon;
  /** Between countries; coasts are none. */
  readonly borders: MultiLineString;
}

const pointOf = ([lng = 0, lat = 0]: Position) => ({ lng, lat });

export const loadOutlines = async (): Promise<Outlines> => {
  const world = (await import('world-atlas/countries-50m.json')).default as unknown as World;
  const { countries, land } = world.objects;
  const { coordinates } = merge(world, land.geometries);
  const unwrapped = coordinates.map((polygon) =>
    polygon.map((ring) => unwrapRing(ring.map(pointOf)).map(({ lng, lat }): Position => [lng, lat])),
  );
  return {
    land: { type: 'MultiPolygon', coordinates: unwrapped },
    borders: mesh(world, countries, (one, other) => one !== other),
  };
};
