/** Files as other tools write them by default: accepted where they are places, else refused once, with a sentence on what to do. */
import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { isLeft } from 'fp-ts/Either';
import type { ImportDefinition } from '../../domain/geo/import/events';
import { faultsOf, mapping, placesOf, readFile } from '../support/geo/read-file';

const header = 'entity_id,name,category,lat,lng';
const csv = { format: 'csv', category: null } as const;
const geojson = { format: 'geojson' } as const;

const feature = (id: unknown, lng = 2.33, lat = 48.85, more: object = {}) => ({
  type: 'Feature',
  id,
  properties: { name: `Place ${id}` },
  geometry: { type: 'Point', coordinates: [lng, lat] },
  ...more,
});
const collection = (features: readonly unknown[], more: object = {}): string =>
  JSON.stringify({ type: 'FeatureCollection', ...more, features });

/** Wherever the chunks are cut. */
const cutsOf = (content: string | Buffer): readonly (readonly number[])[] => {
  const { length } = Buffer.from(content);
  return [[], [1, 2, 3], [Math.floor(length / 2)], Array.from({ length }, (_, at) => at)];
};
const takes = async (content: string | Buffer, more: Partial<ImportDefinition>, ids: readonly string[]) => {
  for (const cuts of cutsOf(content)) {
    const changes = await readFile(content, more, cuts);
    assert.deepEqual(faultsOf(changes), []);
    assert.deepEqual(
      placesOf(changes).map(({ entityId }) => entityId),
      ids,
    );
  }
  return placesOf(await readFile(content, more));
};
const fails = async (content: string | Buffer, more: Partial<ImportDefinition>, reason: RegExp) => {
  for (const cuts of cutsOf(content)) await assert.rejects(readFile(content, more, cuts), reason);
};

describe('a CSV file', () => {
  it('of Excel for Mac or classic Mac OS has lines that end with CR', async () => {
    const rows = [header, 'p-1,One,bar,1,2', '"p-2","Two\rlines",bar,1,2', 'p-3,Three,bar,1,2'];
    const changes = await readFile(rows.join('\r'), csv);
    // The second has a name of two lines, which is one record, and no name.
    assert.deepEqual(faultsOf(changes), [[3, 'name']]);
    assert.deepEqual(
      changes.map(({ line }) => line),
      [2, 3, 5],
    );
    await takes([header, 'p-1,One,bar,1,2', 'p-2,Two,bar,1,2', ''].join('\r'), csv, ['p-1', 'p-2']);
  });

  it('of Windows has CR in its quotes, and lines that end with CR LF', () =>
    takes([header, 'p-1,"One",bar,1,2', 'p-2,Two,bar,1,2', ''].join('\r\n'), csv, ['p-1', 'p-2']));

  it('of a German or French Excel declares its separator, begins with a byte order mark, and has commas in numbers', async () => {
    const rows = ['sep=;', 'entity_id;name;category;lat;lng;rating', 'p-1;One;bar;48,8541;2,3326;4,5'];
    const [place] = await takes(`\ufeff${rows.join('\r\n')}\r\n`, csv, ['p-1']);
    assert.deepEqual([place?.lat, place?.lng, place?.rating?.average], [48.8541, 2.3326, 4.5]);
  });

  it('of a spreadsheet has columns without a name, and rows without content', () =>
    takes([`${header},,`, 'p-1,One,bar,1,2,,', ',,,,,,', 'p-2,Two,bar,1,2,,', ',,,,,,'].join('\r\n'), csv, [
      'p-1',
      'p-2',
    ]));

  it('needs a mapping for columns of other names only', async () => {
    const rows = ['id,name,category,lat,lng', 'p-1,One,bar,1,2'].join('\n');
    await takes(rows, { ...csv, mapping: mapping({ entity_id: 'id' }) }, ['p-1']);
  });

  it('may have columns that are named as fields and are none', async () => {
    const rows = [`${header},status`, 'p-1,One,bar,1,2,reviewed'].join('\n');
    assert.deepEqual(faultsOf(await readFile(rows, csv)), [[2, 'status']]);
    await takes(rows, { ...csv, mapping: mapping({ status: null }) }, ['p-1']);
  });

  it('fails once where its first line cannot be right, and says which columns it has not', async () => {
    await fails(
      'Id,Title,Latitude,Longitude\n1,One,1,2\n2,Two,1,2\n',
      csv,
      /no column for entity_id, name, category, lat, lng\./,
    );
    await fails('entity_id,name\n', { ...csv, category: 'bar' }, /no column for lat, lng\./);
    await fails(
      'name,category,lat\n',
      { ...csv, mapping: mapping({ name: null }, ['name']) },
      /no column for name, lng\./,
    );
    await takes('entity_id,op\n', csv, []);
    await takes(`${header}\n`, csv, []);
  });
});

describe('a GeoJSON file', () => {
  it('of ogr2ogr or QGIS names its crs, which has to be that of degrees', async () => {
    const named = (name: string) => ({ crs: { type: 'name', properties: { name } } });
    const wgs84 = ['urn:ogc:def:crs:OGC:1.3:CRS84', 'urn:ogc:def:crs:EPSG::4326', 'EPSG:4326'];
    for (const name of wgs84) await takes(collection([feature('a')], named(name)), geojson, ['a']);
    await takes(collection([feature('a')], { name: 'layer', crs: null }), geojson, ['a']);
    const projected = ['urn:ogc:def:crs:EPSG::3857', 'urn:ogc:def:crs:EPSG::25832', 'EPSG:2154'];
    for (const name of projected) await fails(collection([feature('a')], named(name)), geojson, /crs is not WGS 84/);
    await fails(
      collection([], { crs: { type: 'link', properties: { href: 'crs.wkt' } } }),
      geojson,
      /crs is not WGS 84/,
    );
    // After the features: what was read before stands.
    const late = `{"type":"FeatureCollection","features":[${JSON.stringify(feature('a'))}],"crs":${JSON.stringify(named('EPSG:3857').crs)}}`;
    await fails(late, geojson, /crs is not WGS 84/);
  });

  it('of another type is none', async () => {
    const topology = { type: 'Topology', objects: { a: { type: 'GeometryCollection', geometries: [] } }, arcs: [] };
    await fails(JSON.stringify(topology), geojson, /it is a Topology/);
    await fails(JSON.stringify({ ...topology, features: [feature('a')] }), geojson, /it is a Topology/);
    await fails(JSON.stringify({ type: 'Point', coordinates: [1, 2] }), geojson, /it is a Point/);
    await fails(JSON.stringify(feature('a'), null, 2), geojson, /it is a Feature/);
    await fails('{"name":"features","x":[{}]}', geojson, /no list of features/);
  });

  it('of Overpass Turbo has ids with a slash', async () => {
    const [place] = await takes(collection([feature('node/123'), feature('way/7')]), geojson, ['node/123', 'way/7']);
    assert.equal(place?.name, 'Place node/123');
  });

  it('with a comma that is missing has two features there', async () => {
    const [one, two, three] = ['a', 'b', 'c'].map((id) => JSON.stringify(feature(id)));
    await takes(`{"type":"FeatureCollection","features":[${one} ${two}\n,${three}]}`, geojson, ['a', 'b', 'c']);
    await takes(`{"type":"FeatureCollection","features":[${one}${two}${three},]}`, geojson, ['a', 'b', 'c']);
  });

  it('needs a mapping for properties of other names only', async () => {
    const one = feature('a', 1, 2, { properties: { title: 'A', category: 'bar', rating: 4 } });
    const [place] = await takes(
      collection([one]),
      { ...geojson, category: null, mapping: mapping({ name: 'title' }) },
      ['a'],
    );
    assert.deepEqual([place?.category, place?.rating?.average], ['bar', 4]);
  });

  it('of ogr2ogr (GeoJSONSeq) or tippecanoe is a feature in each line, also as JSON lines', async () => {
    const lines = `${['a', 'b'].map((id) => JSON.stringify(feature(id))).join('\n')}\n`;
    await takes(lines, geojson, ['a', 'b']);
    await takes(lines, { format: 'jsonl' }, ['a', 'b']);
    await takes(lines.replaceAll('\n', '\r\n'), geojson, ['a', 'b']);
    await takes(lines.replaceAll('Place', 'The \\"Place'), geojson, ['a', 'b']);
  });

  it('may be a text sequence (RFC 8142), whose features have several lines', async () => {
    const sequence = ['a', 'b'].map((id) => `\x1e${JSON.stringify(feature(id), null, 2)}\n`).join('');
    await takes(sequence, geojson, ['a', 'b']);
    await takes(sequence, { format: 'jsonl' }, ['a', 'b']);
    const [, second] = await readFile(`${sequence}\x1e{"type":\n\x1e${JSON.stringify(feature('c'))}`, geojson);
    assert.ok(second !== undefined && !isLeft(second.change));
    assert.deepEqual(faultsOf(await readFile(`\x1e{"type":\n${sequence}`, geojson)), [[1, '']]);
  });

  it('of a feature with a crs of its own is refused for that feature', async () => {
    const crs = { type: 'name', properties: { name: 'EPSG:3857' } };
    const lines = [feature('a'), feature('b', 1, 2, { crs })].map((one) => JSON.stringify(one)).join('\n');
    assert.deepEqual(faultsOf(await readFile(lines, geojson)), [[2, 'crs']]);
  });
});

describe('a file of JSON lines', () => {
  const change = { entity_id: 'p-1', data: { name: 'One', category: 'bar', lat: 1, lng: 2 } };

  it('needs a mapping for members of other names only', async () => {
    const flat = JSON.stringify({ id: 'p-1', name: 'One', category: 'bar', lat: 1, lng: 2, extra: true });
    await takes(flat, { format: 'jsonl', category: null, mapping: mapping({ entity_id: 'id' }) }, ['p-1']);
  });

  it('may be a text sequence (RFC 7464), or have lines that end with CR', async () => {
    const [one, two] = [change, { ...change, entity_id: 'p-2' }].map((each) => JSON.stringify(each));
    await takes(`\x1e${one}\n\x1e${two}\n`, { format: 'jsonl' }, ['p-1', 'p-2']);
    await takes(`${one}\r${two}\r`, { format: 'jsonl' }, ['p-1', 'p-2']);
  });

  it('is no array, no document over many lines and no collection, which fails once', async () => {
    await fails(JSON.stringify([change]), { format: 'jsonl' }, /one JSON array/);
    await fails(JSON.stringify([change], null, 2), { format: 'jsonl' }, /one JSON array/);
    await fails(JSON.stringify(change, null, 2), { format: 'jsonl' }, /over many lines/);
    await fails(collection([feature('a')]), { format: 'jsonl' }, /import it as geojson/);
    await fails('\n\n', { format: 'jsonl' }, /empty/);
  });
});

describe('what is no file of places', () => {
  const page =
    '<!DOCTYPE html>\n<html><head><title>Sign in</title></head>\n<body><p>Sign in, please.</p></body></html>\n';
  const others: readonly (readonly [string, string | Buffer, RegExp])[] = [
    ['a page that was saved in the place of the file', page, /HTML or XML/],
    ['a page in one line', page.replaceAll('\n', ''), /HTML or XML/],
    ['KML or GPX', '\ufeff<?xml version="1.0"?><kml/>', /HTML or XML/],
    ['Unicode text of Excel', Buffer.from(`\ufeff${header}\n`, 'utf16le'), /UTF-16/],
    ['what is compressed', gzipSync(`${header}\n`), /gzip/],
    ['a spreadsheet', Buffer.from('504b0304140006000800', 'hex'), /spreadsheet/],
    ['a GeoPackage', Buffer.from('SQLite format 3\0'), /GeoPackage/],
  ];
  for (const [what, content, reason] of others)
    it(`fails once, whatever its format is said to be: ${what}`, async () => {
      for (const format of ['csv', 'geojson', 'jsonl'] as const) await fails(content, { format }, reason);
    });
});

describe('the id of a place', () => {
  const readId = async (id: string): Promise<boolean> => {
    const line = JSON.stringify({ entity_id: id, data: { name: 'A', category: 'bar', lat: 1, lng: 2 } });
    return placesOf(await readFile(line, { format: 'jsonl' })).length === 1;
  };

  it('is what its source calls it', async () => {
    const ids = [
      'node/123',
      'urn:ngsi-ld:Shop:7',
      'http://www.wikidata.org/entity/Q90',
      '0x47e6:0x8b2f',
      'us.tiger-1',
      'a@b',
    ];
    for (const id of [...ids, 'ark:/65665/3b', 'Q90', '12.5']) assert.ok(await readId(id), id);
  });

  it('has no part that a path could take for something else', async () => {
    const ids = [
      'a/../b',
      '../a',
      'a/./b',
      'a//..',
      '/a',
      'a/',
      'a///b',
      'a b',
      'a\\b',
      'a%2fb',
      'a?b',
      'a#b',
      '.',
      '..',
      '',
    ];
    for (const id of ids) assert.ok(!(await readId(id)), id);
  });
});
