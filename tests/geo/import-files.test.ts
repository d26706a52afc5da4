import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { csvFields, separatorOf } from '../../commands/geo/imports/file/csv-fields';
import type { FileRecord } from '../../commands/geo/imports/file/file-record';
import { splitFeatures } from '../../commands/geo/imports/file/geojson-features';
import { splitLines } from '../../commands/geo/imports/file/split-lines';
import type { ImportDefinition } from '../../domain/geo/import/events';
import { collect, faultsOf, inChunks, mapping, placesOf, readFile } from '../support/geo/read-file';

const textsOf = (records: readonly FileRecord[]): readonly string[] =>
  records.map((record) => ('fault' in record ? `! ${record.fault}` : `${record.line} ${record.bytes.toString('hex')}`));

const csvSuite = dirname(require.resolve('csv-spectrum'));
const published = join(__dirname, 'published');

describe('files of places', () => {
  it('read the same wherever their chunks are cut', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('"', '\n', '\r\n', ',', 'ä', 'name', '{', '}', '[', ']', '\\', '"features":[', ' '), {
          maxLength: 60,
        }),
        fc.array(fc.nat(), { maxLength: 12 }),
        async (pieces, cuts) => {
          const bytes = Buffer.from(pieces.join(''));
          for (const hasQuotes of [true, false]) {
            const [whole, cut] = await Promise.all([
              collect(splitLines(inChunks(bytes, []), { hasQuotes })),
              collect(splitLines(inChunks(bytes, cuts), { hasQuotes })),
            ]);
            assert.deepEqual(textsOf(cut), textsOf(whole));
          }
          const collection = Buffer.from(`{"features":[${pieces.join('')}]}`);
          const featuresOf = async (at: readonly number[]) => {
            try {
              return textsOf(await collect(splitFeatures(inChunks(collection, at))));
            } catch (error) {
              return (error as Error).message;
            }
          };
          assert.deepEqual(await featuresOf(cuts), await featuresOf([]));
        },
      ),
    ));

  it('go on after a quote that is never closed', async () => {
    const rows = [
      'entity_id,name,lat,lng',
      '1,One,1,1',
      '2,"Two,2,2',
      '3,Three,3,3',
      '4,"Fo""ur",4,4',
      '5,"Fi\nve",5,5',
    ];
    const changes = await readFile(rows.join('\r\n'), { format: 'csv' });
    assert.deepEqual(
      faultsOf(changes).map(([number]) => number),
      // The name of the last one has a line feed, which is part of its record, and no name.
      [3, 6],
    );
    assert.deepEqual(
      placesOf(changes).map(({ name }) => name),
      ['One', 'Three', 'Fo"ur'],
    );
  });

  it('fail as a whole where nothing more can be read', async () => {
    const refused = (content: string, more: Partial<ImportDefinition>, message: RegExp) =>
      assert.rejects(readFile(content, more), message);
    await refused('', { format: 'csv' }, /empty/);
    await refused('entity_id,name,lat,lng,name\n', { format: 'csv' }, /twice/);
    await refused('a,b\n', { format: 'csv', mapping: mapping({ name: 'c' }) }, /does not have/);
    await refused('[]', { format: 'geojson' }, /not a GeoJSON/);
    await refused('{"type":"FeatureCollection"}', { format: 'geojson' }, /no list of features/);
    await refused('{"features":[{"a":"', { format: 'geojson' }, /too early/);
  });

  it('have features that are refused one by one, with the place of each fault', async () => {
    const point = (coordinates: unknown) => ({ type: 'Point', coordinates });
    const feature = (geometry: unknown, properties: unknown = { name: 'A' }) => ({
      type: 'Feature',
      id: 1,
      geometry,
      properties,
    });
    const features = [
      feature(point([2.3, 48.8, 35])),
      feature(point([48.8, 102.3])),
      feature({ type: 'LineString', coordinates: [] }),
      feature(null),
      7,
      feature(point([1, 2]), null),
    ];
    const changes = await readFile(JSON.stringify({ type: 'FeatureCollection', features }), { format: 'geojson' });
    const [place] = placesOf(changes);
    assert.deepEqual([place?.entityId, place?.lat, place?.lng], ['1', 48.8, 2.3]);
    assert.deepEqual(faultsOf(changes), [
      ...([
        [2, 'geometry.coordinates[1]'],
        [3, 'geometry'],
        [4, 'geometry'],
        [5, ''],
        [6, 'name'],
      ] as const),
    ]);
    const swapped = changes[1]?.change;
    assert.ok(swapped !== undefined && isLeft(swapped));
    assert.equal(swapped.left[0]?.hint, 'GeoJSON has the longitude first.');
  });

  it('give places without an id one that their columns make', async () => {
    const csv = 'name,city,lat,lng\nMill,Ely,1,1\nMill,Rye,1,1\nMill,Ely,2,2\n';
    const fields = mapping({ name: 'name', lat: 'lat', lng: 'lng' }, ['name', 'city']);
    const [ely, rye, again] = placesOf(await readFile(csv, { format: 'csv', mapping: fields }));
    assert.equal(ely?.entityId, again?.entityId);
    assert.notEqual(ely?.entityId, rye?.entityId);
  });

  it('parse CSV as the published suite of csv-spectrum has it', async () => {
    // The expected content of this one is that of another file: its phone number does not occur in the CSV.
    const files = readdirSync(join(csvSuite, 'csvs')).filter((file) => file !== 'location_coordinates.csv');
    assert.equal(files.length, 11);
    for (const file of files) {
      const bytes = readFileSync(join(csvSuite, 'csvs', file));
      const expected = JSON.parse(
        readFileSync(join(csvSuite, 'json', file.replace('.csv', '.json')), 'utf8'),
      ) as readonly object[];
      const records = await collect(splitLines(inChunks(bytes, [5, 17]), { hasQuotes: true }));
      const [header = [], ...rows] = records.map((record) => {
        assert.ok('bytes' in record, file);
        return csvFields(record.bytes.toString('utf8'), ',') ?? [];
      });
      const objects = rows.map((row) => Object.fromEntries(header.map((column, index) => [column, row[index]])));
      // Line ends inside of quotes are kept as they are.
      const plain = (value: unknown) => JSON.stringify(value).replaceAll('\\r\\n', '\\n');
      assert.equal(plain(objects), plain(expected), file);
    }
    assert.equal(separatorOf('a;b,c;d'), ';');
  });

  it('are files that others publish: airports as CSV, earthquakes as GeoJSON', async () => {
    const airports = readFileSync(join(published, 'airports.csv'));
    const columns = { entity_id: 'iata', name: 'name', lat: 'latitude', lng: 'longitude' };
    const fields = mapping({ ...columns, 'address.locality': 'city', 'address.region': 'state' });
    const imported = await readFile(airports, { format: 'csv', category: 'airport', mapping: fields });
    assert.deepEqual(faultsOf(imported), []);
    assert.equal(placesOf(imported).length, 3_376);
    const jfk = placesOf(imported).find(({ entityId }) => entityId === 'JFK');
    assert.deepEqual([jfk?.name, jfk?.address?.locality], ['John F Kennedy Intl', 'New York']);

    const quakes = readFileSync(join(published, 'earthquakes.json'));
    const taken = { name: 'title', category: 'type', 'attributes.magnitude': 'mag', popularity: 'sig' };
    // An earthquake's status is not a place's.
    const properties = mapping({ ...taken, status: null });
    const shaken = await readFile(quakes, { format: 'geojson', category: null, mapping: properties }, [99, 70_000]);
    assert.deepEqual(faultsOf(shaken), []);
    assert.equal(placesOf(shaken).length, 1_707);
  });
});
