/** Files that others publish, imported as they are: CSV and GeoJSON, with the licence that the publisher states for each. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endedImport, startImport, visibleEntity } from '../../support/geo/file-imports';
import { openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner } from '../../support/servers/shared-servers';

const published = join(__dirname, '..', '..', 'geo', 'published');

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
    const attribution = 'Airports (Data.gov), https://www.usa.gov/government-works';
    const columns = { entity_id: 'iata', name: 'name', lat: 'latitude', lng: 'longitude' };
    const mapping = { fields: { ...columns, 'address.locality': 'city', 'address.region': 'state' } };
    const definition = { format: 'csv', source: 'data.gov', category: 'airport', attribution, mapping };
    const file = readFileSync(join(published, 'airports.csv'));
    const { status, recorded, refused } = await endedImport(tenant, await startImport(tenant, file, definition));
    assert.deepEqual({ status, recorded, refused }, { status: 'completed', recorded: 3_376, refused: 0 });
    const airport = await visibleEntity<Entity>(tenant, 'JFK');
    assert.deepEqual(
      [airport.name, airport.category, airport.address?.locality, airport.source, airport.attribution],
      ['John F Kennedy Intl', 'airport', 'New York', 'data.gov', attribution],
    );
  });

  it('are imported from GeoJSON: the earthquakes of a week', async () => {
    const attribution =
      'USGS Earthquake Feed, U.S. Public Domain https://www.usgs.gov/information-policies-and-instructions/copyrights-and-credits';
    const taken = { name: 'title', category: 'type', popularity: 'sig', 'attributes.magnitude': 'mag' };
    // An earthquake's status is not a place's.
    const mapping = { fields: { ...taken, status: null } };
    const definition = { format: 'geojson', source: 'usgs', attribution, mapping };
    const file = readFileSync(join(published, 'earthquakes.json'));
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
