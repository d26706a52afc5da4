/** Lines of files that mean harm or were made by accident: each is refused alone, and what follows is read. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft } from 'fp-ts/Either';
import { maxRecordBytes, UnreadableFile } from '../../commands/geo/imports/file/file-record';
import type { FileFormat } from '../../domain/geo/import/events';
import { faultsOf, placesOf, readFile } from '../support/geo/read-file';

const line = (fields: object = {}): string =>
  JSON.stringify({ entity_id: 'a', data: { name: 'A', lat: 1, lng: 2, ...fields } });

const namesOf = (changes: Parameters<typeof placesOf>[0]): readonly string[] =>
  placesOf(changes).map(({ name }) => name);

describe('hostile lines of files', () => {
  it('are refused one by one as JSON lines: huge, deep, of wrong types or encodings', async () => {
    const lines = [
      line(),
      `{"entity_id":"huge","data":{"name":"${'x'.repeat(maxRecordBytes)}"}}`,
      `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      'null',
      line({ lat: '1' }),
      line({ name: 'x'.repeat(201) }),
      '{"entity_id":"a","entity_id":"b"}',
      '{"__proto__":{"entity_id":"a"}}',
    ];
    const bytes = Buffer.concat([
      Buffer.from(`${lines.join('\n')}\n`),
      Buffer.from([0xff, 0xfe, 0x0a]),
      Buffer.from(`\r\n\n${line({ name: 'Last' })}`),
    ]);
    const changes = await readFile(bytes, {}, [70_000, 140_000, 210_000]);
    assert.deepEqual(
      placesOf(changes).map(({ name }) => name),
      ['A', 'Last'],
    );
    assert.deepEqual(faultsOf(changes), [
      ...([
        [2, ''],
        [3, ''],
        [4, ''],
        [5, '/data/lat'],
        [6, '/data/name'],
        [7, ''],
        [8, '/entity_id'],
        [9, ''],
      ] as const),
    ]);
    assert.equal(changes.at(-1)?.line, 12);
  });

  it('are refused one by one as CSV: ragged, huge, of wrong types or encodings', async () => {
    const rows: readonly (string | Buffer)[] = [
      'entity_id,name,lat,lng',
      '1,One,1,1',
      '2,Two,2',
      '3,Three,3,3,3',
      '4,"Fo"ur,4,4',
      Buffer.from('5,Caf\xe9,5,5', 'latin1'),
      `6,${'x'.repeat(maxRecordBytes)},6,6`,
      '7,Comma,"7,5",7',
      '8,Hex,0x10,8',
      '9,Not,NaN,9',
      '10,Far,1e999,9',
      ',No id,1,1',
      '12,Half \ud800 pair,12,12',
      `13,"${'""'.repeat(100_000)}",13,13`,
      '14,Last,-0,1e1',
    ];
    const bytes = Buffer.concat(rows.map((row) => Buffer.concat([Buffer.from(row), Buffer.from('\n')])));
    const changes = await readFile(bytes, { format: 'csv' }, [300_000, 100, 9]);
    // Half a pair is no UTF-8 either: the file has a replacement there.
    assert.deepEqual(namesOf(changes), ['One', 'Half \ufffd pair', 'Last']);
    assert.deepEqual(faultsOf(changes), [
      ...([
        [3, ''],
        [4, ''],
        [5, ''],
        [6, ''],
        [7, ''],
        [8, 'lat'],
        [9, 'lat'],
        [10, 'lat'],
        [11, 'lat'],
        [12, 'entity_id'],
        [14, 'name'],
      ] as const),
    ]);
  });

  it('are refused one by one as features: huge, deep, of wrong types or encodings', async () => {
    const point = (coordinates: string): string => `{"type":"Point","coordinates":${coordinates}}`;
    const feature = (id: string, geometry = point('[1,2]'), name = '"A"'): string =>
      `{"type":"Feature","id":${id},"geometry":${geometry},"properties":{"name":${name}}}`;
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const features: readonly (string | Buffer)[] = [
      feature('"a"'),
      feature('"huge"', point('[1,2]'), `"${'x'.repeat(maxRecordBytes)}"`),
      feature('"deep"', point(deep)),
      feature('{"$ne":null}'),
      feature('"b"', point('["1","2"]')),
      feature('"c"', point('{"0":1,"1":2,"length":2}')),
      feature('"d"', point('[1e999,2]')),
      '{"type":"Feature","type":"Feature","geometry":null}',
      feature('"e"', '{"type":"GeometryCollection","geometries":[]}'),
      Buffer.concat([Buffer.from('{"type":"'), Buffer.from([0xff, 0xc0]), Buffer.from('"}')]),
      '"text"',
      'nul',
      feature('"last"'),
    ];
    const separated = features.flatMap((one, at) => [Buffer.from(at === 0 ? '' : ',\n'), Buffer.from(one)]);
    const bytes = Buffer.concat([
      Buffer.from('{"type":"FeatureCollection","features":['),
      ...separated,
      Buffer.from(']}'),
    ]);
    const changes = await readFile(bytes, { format: 'geojson' }, [70, 200_000, 280_000]);
    assert.deepEqual(
      placesOf(changes).map(({ entityId }) => entityId),
      ['a', 'last'],
    );
    assert.deepEqual(
      faultsOf(changes).map(([number]) => number),
      [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    );
  });

  it('end no reader but as an unreadable file, and show nothing of themselves', () => {
    const secret = 'hunter2';
    const pieces = fc.constantFrom<string | Uint8Array>(
      ...[secret, '"', '\n', '\r\n', ',', ';', '{', '}', '[', ']', ':', '\\', 'null', '1e999', '-', '\u0000', '\ud800'],
      ...[
        '"data":',
        '"entity_id":',
        '"lat":',
        '"features":[',
        '"type":"Feature"',
        '"__proto__":{',
        '"geometry":',
        'name,lat,lng',
      ],
      ...[Buffer.from([0xff, 0xfe]), Buffer.from([0xc3]), Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from([0x1f, 0x8b])],
    );
    const file = fc.array(fc.oneof(pieces, fc.uint8Array({ maxLength: 8 })), { maxLength: 80 });
    const format = fc.constantFrom<FileFormat>('jsonl', 'csv', 'geojson');
    return fc.assert(
      fc.asyncProperty(file, format, fc.array(fc.nat(), { maxLength: 4 }), async (content, kind, cuts) => {
        const bytes = Buffer.concat(content.map((one) => Buffer.from(one as string)));
        let changes: Awaited<ReturnType<typeof readFile>> = [];
        try {
          changes = await readFile(bytes, { format: kind }, cuts);
        } catch (error) {
          assert.ok(error instanceof UnreadableFile, String(error));
          assert.ok(!error.message.includes(secret));
        }
        const lines = changes.map(({ line: number }) => number);
        assert.deepEqual(
          lines,
          [...new Set(lines)].toSorted((one, other) => one - other),
        );
        for (const { change } of changes)
          if (isLeft(change))
            for (const { expected, hint = '' } of change.left) assert.ok(!`${expected}${hint}`.includes(secret));
      }),
      { numRuns: 400 },
    );
  });
});
