/** CSV: rows as spreadsheets number them. Real files agree with Python's `csv`. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { cleanCell } from '../../../../packages/file-readers/src/tables/row-elements';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { fixture, readCode, readFacts } from '../read';

const others = JSON.parse(readFileSync(fixture('csv', 'rows-by-python.json'), 'utf8')) as Readonly<
  Record<string, readonly (readonly string[])[]>
>;

const rowsOf = async (path: string, name?: string): Promise<readonly (readonly [number, string])[]> => {
  const { elements } = await readFacts(path, name);
  return elements.map(({ anchor, text }) => {
    assert.ok(anchor.type === 'row' && anchor.sheet === null);
    return [anchor.rowStart, text] as const;
  });
};
const expectedRows = (records: readonly (readonly string[])[]): readonly (readonly [number, string])[] =>
  records
    .map((record, index) => [index + 1, record.map(cleanCell).join('\t').trimEnd()] as const)
    .filter(([, text]) => text.trim() !== '');

describe('CSV', () => {
  const directory = useTemporaryDirectory('csv');
  const path = join(directory, 'made.csv');
  const write = (content: string | Buffer): string => {
    writeFileSync(path, content);
    return path;
  };

  for (const [name, records] of Object.entries(others))
    it(`has the rows that another reader finds: ${name}`, async () => {
      const rows = await rowsOf(fixture('csv', name));
      assert.deepEqual(rows.slice(0, expectedRows(records).length), expectedRows(records));
    });

  const spectrum = join(dirname(require.resolve('csv-spectrum/package.json')), 'csvs');
  for (const name of [
    'comma_in_quotes',
    'escaped_quotes',
    'json',
    'newlines_crlf',
    'quotes_and_newlines',
    'simple',
    'utf8',
  ])
    it(`has the records that csv-spectrum expects: ${name}`, async () => {
      const records = JSON.parse(readFileSync(join(spectrum, '..', 'json', `${name}.json`), 'utf8')) as Record<
        string,
        string
      >[];
      const [header, ...rows] = await rowsOf(join(spectrum, `${name}.csv`));
      assert.deepEqual(header?.[1].split('\t'), Object.keys(records[0]!));
      assert.deepEqual(
        rows.map(([, text]) => text.split('\t')),
        records.map((record) => Object.values(record).map(cleanCell)),
      );
    });

  it('says how it was decoded', async () => {
    const encodings = {
      'test_utf16_big.csv': 'utf-16be',
      'test_utf16_little.csv': 'utf-16le',
      'test_latin1.csv': 'windows-1252',
      'test_utf8_bom.csv': 'utf-8',
    };
    for (const [name, encoding] of Object.entries(encodings))
      assert.equal((await readFacts(fixture('csv', name))).facts.encoding, encoding, name);
  });

  it('counts records, blank ones too, and not lines', async () =>
    assert.deepEqual(await rowsOf(write('name,note\n"a","two\nlines"\n\n\nb,c\n')), [
      [1, 'name\tnote'],
      [2, 'a\ttwo lines'],
      [5, 'b\tc'],
    ]));

  it('takes the separator that the file or its ending names', async () => {
    assert.deepEqual(await rowsOf(write('sep=;\r\na;b\r\n1,5;2\r\n')), [
      [1, 'a\tb'],
      [2, '1,5\t2'],
    ]);
    assert.deepEqual(await rowsOf(write('a|b\n1|2\n3|4\n')), [
      [1, 'a\tb'],
      [2, '1\t2'],
      [3, '3\t4'],
    ]);
    assert.deepEqual(await rowsOf(write('a, b\tc\n1, 2\t3\n'), 'made.tsv'), [
      [1, 'a, b\tc'],
      [2, '1, 2\t3'],
    ]);
  });

  it('names its columns', async () => {
    const kinds = async (content: string): Promise<readonly string[]> =>
      (await readFacts(write(content))).elements.map(({ kind }) => kind);
    assert.deepEqual(await kinds('name,price\ntea,3\n'), ['header', 'row']);
    assert.deepEqual(await kinds('1,2\n3,4\n'), ['row', 'row']);
    assert.deepEqual(await kinds('List of prices\n\nname,price\ntea,3\n'), ['row', 'header', 'row']);
    assert.deepEqual(await kinds('tea\ncoffee\nmilk\n'), ['row', 'row', 'row']);
  });

  it('gives every record back', async () => {
    const cell = fc.stringMatching(/^[a-z ",;\n]{0,12}$/);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 2, maxLength: 12 }),
        async (records) => {
          const text = [
            'sep=,',
            ...records.map((record) => record.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')),
          ].join('\r\n');
          assert.deepEqual(await rowsOf(write(text)), expectedRows(records));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('is refused above its limits, and with bytes that are no text', async () => {
    assert.equal(await readCode(write('a,b\n'.repeat(100)), 'a.csv', { cells: 150 }), 'TOO_LARGE');
    assert.equal(await readCode(write('a,b\n'.repeat(100)), 'a.csv', { textBytes: 100 }), 'TOO_LARGE');
    assert.equal(await readCode(fixture('csv', 'null_byte.csv')), 'UNSUPPORTED_TYPE');
  });
});
