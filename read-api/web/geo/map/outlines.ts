/** Land and borders of the world, from Natural Earth: they come with the console, so no other server learns where people look. */
import type { MultiLineString } from 'geojson';
import { feature, mesh } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

type World = Topology<{ readonly countries: GeometryCollection; readonly land: GeometryCollection }>;

export interface Outlines {
  readonly land: ReturnType<typeof feature>;
  /** Between countries; coasts are none. */
  readonly borders: MultiLineString;
}

export const loadOutlines = async (): Promise<Outlines> => {
  const world = (await import('world-atlas/countries-50m.json')).default as unknown as World;
  const { countries, land } = world.objects;
  return { land: feature(world, land), borders: mesh(world, countries, (one, other) => one !== other) };
};
