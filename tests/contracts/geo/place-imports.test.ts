/** Files of places through the gateway of a running system: uploaded by a signed request, imported by a worker. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  createImport,
  endedImport,
  type SignedUpload,
  startImport,
  uploadFile,
  visibleEntity,
} from '../../support/geo/file-imports';
import { contentOf, openTenant, type Tenant } from '../../support/identity/tenant';
import { openSystem, type SharedSystem, type System } from '../../support/processes/running-system';
import { fromRunner } from '../../support/servers/shared-servers';
import { eventually } from '../../support/waiting/eventually';

interface Refusal {
  readonly line: number;
  readonly field: string;
  readonly expected: string;
}
interface FileUpload {
  readonly partBytes: number;
  readonly arrived: readonly { readonly part: number; readonly size: number }[];
}
const lineOf = (number: number): string =>
  JSON.stringify({
    entity_id: `line-${number}`,
    version: 1,
    op: 'create',
    data: { name: `Place ${number}`, category: 'shop', lat: 48 + number / 10_000, lng: 2 + number / 10_000 },
  });

describe('imports of places', function () {
  this.timeout(180_000);
  let system: System;
  let [ours, theirs]: readonly Tenant[] = [];
  before(async () => {
    system = openSystem(JSON.parse(await fromRunner('system')) as SharedSystem);
    [ours, theirs] = await Promise.all([openTenant(system), openTenant(system)]);
  });
  after(() => system.close());

  const nameOf = async (tenant: Tenant, id: string): Promise<string> =>
    (await visibleEntity<{ readonly name: string }>(tenant, id)).name;

  it('go on past bad lines and list them, and a second import changes nothing', async () => {
    const lines = Array.from({ length: 1_100 }, (_, index) => lineOf(index + 1));
    lines[1_020] = 'no JSON';
    const text = `${lines.join('\n')}\n`;
    const importId = await startImport(ours as Tenant, text, { format: 'jsonl' });
    const { status, recorded, refused, permille, lines: read } = await endedImport(ours as Tenant, importId);
    assert.deepEqual(
      { status, recorded, refused, permille, read },
      {
        status: 'completed',
        recorded: 1_099,
        refused: 1,
        permille: 1_000,
        read: 1_100,
      },
    );
    const refusals = await (ours as Tenant).list<Refusal>(`/v1/places/imports/${importId}/refusals`);
    assert.deepEqual(
      refusals.map(({ line }) => line),
      [1_021],
    );
    assert.equal(await nameOf(ours as Tenant, 'line-1100'), 'Place 1100');
    const repeated = await endedImport(ours as Tenant, await startImport(ours as Tenant, text, { format: 'jsonl' }));
    assert.deepEqual([repeated.recorded, repeated.unchanged], [0, 1_099]);
  });

  it('say how many lines were refused in all, and how many of them are listed', async () => {
    const text = `${lineOf(3_000)}\n${'no JSON\n'.repeat(1_234)}`;
    const importId = await startImport(ours as Tenant, text, { format: 'jsonl' });
    const { recorded, refused, refusedListed } = await endedImport(ours as Tenant, importId);
    assert.deepEqual([recorded, refused, refusedListed], [1, 1_234, 1_000]);
    const [first] = await (ours as Tenant).list<Refusal>(`/v1/places/imports/${importId}/refusals?limit=1`);
    assert.deepEqual(first?.line, 2);
  });

  it('read columns of CSV and points of GeoJSON by a mapping', async () => {
    const csv = 'key;title;lat;lon\n1;"Bar; ""Zum Bären""";52.5;13.4\n2;Nowhere;152.5;13.4\n';
    const fields = { entity_id: 'key', name: 'title', lat: 'lat', lng: 'lon' };
    const csvImport = await startImport(ours as Tenant, csv, { format: 'csv', category: 'bar', mapping: { fields } });
    const { recorded, refused } = await endedImport(ours as Tenant, csvImport);
    assert.deepEqual([recorded, refused], [1, 1]);
    assert.equal(await nameOf(ours as Tenant, '1'), 'Bar; "Zum Bären"');
    const [refusal] = await (ours as Tenant).list<Refusal>(`/v1/places/imports/${csvImport}/refusals`);
    assert.deepEqual([refusal?.line, refusal?.field], [3, 'lat']);

    const point = { type: 'Point', coordinates: [-122.42, 37.77] };
    const feature = { type: 'Feature', id: 'sf', properties: { title: 'San Francisco' }, geometry: point };
    const geojson = JSON.stringify({ type: 'FeatureCollection', features: [feature] });
    const mapping = { fields: { name: 'title' } };
    const geojsonImport = await startImport(ours as Tenant, geojson, { format: 'geojson', category: 'city', mapping });
    assert.equal((await endedImport(ours as Tenant, geojsonImport)).recorded, 1);
    assert.equal(await nameOf(ours as Tenant, 'sf'), 'San Francisco');
  });

  it('have ids as their sources write them, by which places are found and shown', async () => {
    const point = { type: 'Point', coordinates: [12.1, 54.1] };
    const properties = { name: 'Leuchtturm Quitzdorf', category: 'lighthouse' };
    const ids = ['node/123', 'http://www.wikidata.org/entity/Q90', 'urn:ngsi-ld:Shop:7'];
    const features = ids.map((id) => ({ type: 'Feature', id, properties, geometry: point }));
    const crs = { type: 'name', properties: { name: 'urn:ogc:def:crs:OGC:1.3:CRS84' } };
    const text = JSON.stringify({ type: 'FeatureCollection', generator: 'overpass-turbo', crs, features });
    const importId = await startImport(ours as Tenant, text, { format: 'geojson' });
    const { status, recorded } = await endedImport(ours as Tenant, importId);
    assert.deepEqual([status, recorded], ['completed', 3]);
    for (const id of ids) assert.equal(await nameOf(ours as Tenant, id), 'Leuchtturm Quitzdorf');
    const removal = { entity_id: 'node/123', version: 2 ** 45, op: 'delete', source: 'file' };
    await contentOf((ours as Tenant).send('POST', '/v1/places:batch', { changes: [removal] }));
    await eventually(async () => assert.equal((await (ours as Tenant).read('/v1/entities/node%2F123')).status, 410));
    const found = '/v1/search?query=Leuchtturm%20Quitzdorf&lat=54.1&lng=12.1&radius_m=1000';
    await eventually(async () => {
      const answer = await contentOf<{ results: readonly { entity_id: string }[] }>((ours as Tenant).read(found));
      assert.deepEqual(answer.results.map(({ entity_id }) => entity_id).sort(), ids.slice(1).sort());
    });
  });

  it('fail with a reason where a file cannot be read, and start with a file only', async () => {
    const failed = await endedImport(
      ours as Tenant,
      await startImport(ours as Tenant, '[1, 2]', { format: 'geojson' }),
    );
    assert.deepEqual([failed.status, failed.reason], ['failed', 'The file is not a GeoJSON FeatureCollection.']);
    const body = { fileName: 'none', source: 'file', size: 10, format: 'csv' };
    const { importId } = await contentOf<{ importId: string }>(
      (ours as Tenant).send('POST', '/v1/places/imports', body),
    );
    assert.equal((await (ours as Tenant).send('POST', `/v1/places/imports/${importId}/start`, {})).status, 409);
    await contentOf((ours as Tenant).send('POST', `/v1/places/imports/${importId}/cancel`, {}));
    assert.equal((await endedImport(ours as Tenant, importId)).status, 'cancelled');
  });

  it('take their file in parts, in any order, and go on after an interruption', async () => {
    const tenant = ours as Tenant;
    // Two whole parts and a bit, of which most is refused line by line.
    const broken = Array.from({ length: 70 }, () => 'x'.repeat(250_000));
    const text = [lineOf(2_001), ...broken, lineOf(2_072)].join('\n');
    const bytes = Buffer.from(text);
    const path = `/v1/places/imports/${await createImport(tenant, text, { format: 'jsonl' })}`;
    const resume = () => contentOf<FileUpload>(tenant.send('POST', `${path}/parts`, {}));
    const statusOf = async (step: string): Promise<number> => (await tenant.send('POST', `${path}/${step}`, {})).status;
    const put = async (part: number, body: Buffer): Promise<number> => {
      const sha256 = createHash('sha256').update(body).digest('hex');
      const { url, headers } = await contentOf<SignedUpload>(tenant.send('POST', `${path}/parts/${part}`, { sha256 }));
      return (await fetch(url, { method: 'PUT', headers, body: new Uint8Array(body) })).status;
    };
    assert.equal(await statusOf('parts/1'), 404, 'an upload is begun first');
    const [begun, other] = await Promise.all([resume(), resume()]);
    assert.deepEqual([begun, other.arrived], [other, []]);
    const { partBytes } = begun;
    const partOf = (part: number): Buffer => bytes.subarray((part - 1) * partBytes, part * partBytes);
    assert.equal(await put(3, partOf(3)), 200);
    assert.notEqual(await put(2, partOf(1).subarray(1)), 200, 'a part has its size');
    assert.equal(await put(1, Buffer.alloc(partBytes)), 200);
    assert.deepEqual((await resume()).arrived, [
      { part: 1, size: partBytes },
      { part: 3, size: partOf(3).length },
    ]);
    const early = await tenant.send('POST', `${path}/start`, {});
    assert.equal(early.status, 409);
    const { type, detail } = (await early.json()) as { readonly type: string; readonly detail: string };
    assert.match(type, /file-incomplete$/);
    assert.equal(detail, '1 of 3 parts are missing, the first of them part 2.');
    assert.equal(await statusOf('parts/4'), 404);
    assert.equal(await statusOf('parts/0'), 400);
    // A part that is sent again replaces the one before.
    assert.deepEqual([await put(1, partOf(1)), await put(2, partOf(2))], [200, 200]);
    assert.deepEqual(await Promise.all([statusOf('start'), statusOf('start')]), [200, 200]);
    assert.equal(await statusOf('parts'), 409);
    const { status, recorded, refused } = await endedImport(tenant, path.split('/').at(-1) ?? '');
    assert.deepEqual([status, recorded, refused], ['completed', 2, 70]);
    assert.equal(await statusOf('start'), 200);
  });

  it('are no concern of other tenants', async () => {
    const importId = await uploadFile(ours as Tenant, lineOf(1), { format: 'jsonl' });
    for (const path of ['', '/refusals']) {
      const answer = await (theirs as Tenant).read(`/v1/places/imports/${importId}${path}`);
      assert.ok(answer.status === 404 || ((await answer.json()) as { items: unknown[] }).items.length === 0);
    }
    for (const act of ['upload', 'parts', 'parts/1', 'start', 'cancel'])
      assert.ok(
        [404, 409].includes(
          (await (theirs as Tenant).send('POST', `/v1/places/imports/${importId}/${act}`, {})).status,
        ),
      );
    assert.deepEqual(await (theirs as Tenant).list('/v1/places/imports'), []);
  });
});
