/** Files that others publish, imported as they are: CSV and GeoJSON, with the licence that the publisher states for each. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endedImport, startImport, visibleEntity } from '../../support/geo/file-imports';
import { openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner } from '../../support/servers/shared-servers';

const vega = join(dirname(require.resolve('vega-datasets')), '..');

interface Resource {
  readonly path: string;
  readonly licenses: readonly { readonly title: string; readonly path?: string }[];
  readonly sources: readonly { readonly title: string }[];
}

/** The attribution and the licence in the package of the data (`datapackage.json`). */
const attributionOf = (file: string): string => {
  const { resources } = JSON.parse(readFileSync(join(vega, 'datapackage.json'), 'utf8')) as {
    readonly resources: readonly Resource[];
  };
  const resource = resources.find(({ path }) => path === file);
  const [source, licence] = [resource?.sources[0], resource?.licenses[0]];
  return `${source?.title}, ${[licence?.title, licence?.path].filter((one) => one !== undefined).join(' ')}`;
};

interface Entity {
  readonly name: string;
  readonly category: string;
  readonly lat: number;
  readonly lng: number;
  readonly source: string;
  readonly attribution: string;
  readonly address: { readonly locality: string } | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

describe('files that others publish', function () {
  this.timeout(120_000);
  let system: System;
  let tenant: Tenant;
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    tenant = await openTenant(system);
  });
  after(() => system.close());

  it('are imported from CSV: the airports of the United States', async () => {
    const attribution = attributionOf('airports.csv');
    assert.equal(attribution, 'Airports (Data.gov), https://www.usa.gov/government-works');
    const columns = { entity_id: 'iata', name: 'name', lat: 'latitude', lng: 'longitude' };
    const mapping = { fields: { ...columns, 'address.locality': 'city', 'address.region': 'state' } };
    const definition = { format: 'csv', source: 'data.gov', category: 'airport', attribution, mapping };
    const file = readFileSync(join(vega, 'data', 'airports.csv'));
    const { status, recorded, refused } = await endedImport(tenant, await startImport(tenant, file, definition));
    assert.deepEqual({ status, recorded, refused }, { status: 'completed', recorded: 3_376, refused: 0 });
    const airport = await visibleEntity<Entity>(tenant, 'JFK');
    assert.deepEqual(
      [airport.name, airport.category, airport.address?.locality, airport.source, airport.attribution],
      ['John F Kennedy Intl', 'airport', 'New York', 'data.gov', attribution],
    );
  });

  it('are imported from GeoJSON: the earthquakes of a week', async () => {
    const attribution = attributionOf('earthquakes.json');
    assert.match(attribution, /^USGS Earthquake Feed, U\.S\. Public Domain https:\/\/www\.usgs\.gov\//);
    const taken = { name: 'title', category: 'type', popularity: 'sig', 'attributes.magnitude': 'mag' };
    // An earthquake's status is not a place's.
    const mapping = { fields: { ...taken, status: null } };
    const definition = { format: 'geojson', source: 'usgs', attribution, mapping };
    const file = readFileSync(join(vega, 'data', 'earthquakes.json'));
    const { status, recorded, refused } = await endedImport(tenant, await startImport(tenant, file, definition));
    assert.deepEqual({ status, recorded, refused }, { status: 'completed', recorded: 1_707, refused: 0 });
    const [first] = (JSON.parse(file.toString('utf8')) as { readonly features: readonly Feature[] }).features;
    const [lng, lat] = first?.geometry.coordinates ?? [];
    const quake = await visibleEntity<Entity>(tenant, first?.id ?? '');
    assert.deepEqual(
      [quake.name, quake.category, quake.lat, quake.lng, quake.attributes.magnitude, quake.attribution],
      [first?.properties.title, 'earthquake', lat, lng, first?.properties.mag, attribution],
    );
  });
});

interface Feature {
  readonly id: string;
  readonly properties: { readonly title: string; readonly mag: number };
  readonly geometry: { readonly coordinates: readonly number[] };
}
