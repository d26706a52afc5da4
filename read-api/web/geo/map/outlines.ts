/** Land and borders of the world, from Natural Earth: they come with the console, so no other server learns where people look. */
import { merge, mesh } from 'topojson-client';
import { unwrapRing } from './area';

type Topology = Parameters<typeof merge>[0];
type World = Topology & {
  readonly objects: {
    readonly countries: NonNullable<Parameters<typeof mesh>[1]>;
    readonly land: { readonly geometries: Parameters<typeof merge>[1] };
  };
};

export interface Outlines {
  readonly land: ReturnType<typeof merge>;
  /** Between countries; coasts are none. */
  readonly borders: ReturnType<typeof mesh>;
}

const pointOf = ([lng = 0, lat = 0]: readonly number[]) => ({ lng, lat });

export const loadOutlines = async (): Promise<Outlines> => {
  const world = (await import('world-atlas/countries-50m.json')).default as unknown as World;
  const { countries, land } = world.objects;
  const { coordinates } = merge(world, land.geometries);
  const unwrapped = coordinates.map((polygon) =>
    polygon.map((ring) => unwrapRing(ring.map(pointOf)).map(({ lng, lat }) => [lng, lat])),
  );
  return {
    land: { type: 'MultiPolygon', coordinates: unwrapped },
    borders: mesh(world, countries, (one, other) => one !== other),
  };
};
