/** Workbooks that no program writes, or only some: odd ones are read, hostile ones end with a code. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { cellNumberText, numberKind } from '../../../../packages/file-readers/src/xlsx/cell-text';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';
import { type MadeWorkbook, workbookOf } from '../made-files';
import { readCode, readFacts, readFile } from '../read';

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

describe('made workbooks', () => {
  const directory = useTemporaryDirectory('workbooks');
  const path = join(directory, 'made.xlsx');
  const write = (workbook: MadeWorkbook): string => {
    writeFileSync(path, workbookOf(workbook));
    return path;
  };
  const rowsOf = async (sheet: string, more: Partial<MadeWorkbook> = {}): Promise<readonly string[]> => {
    const { elements } = await readFacts(write({ sheets: { S: sheet }, ...more }));
    return elements.map(
      ({ anchor, kind, text }) =>
        `${anchor.type === 'row' ? anchor.rowStart : ''} ${kind}: ${text.replaceAll('\t', '|')}`,
    );
  };

  it('number rows as Excel does, gaps and missing references included', async () =>
    assert.deepEqual(
      await rowsOf(
        '<sheetData><row r="3"><c r="B3"><v>1</v></c></row><row><c><v>2</v></c><c><v>3</v></c></row><row r="1000000"><c r="A1000000"><v>4</v></c></row></sheetData>',
      ),
      ['3 row: |1', '4 row: 2|3', '1000000 row: 4'],
    ));

  it('cost what their cells cost, whatever they claim', async () =>
    assert.deepEqual(
      await rowsOf(
        '<dimension ref="A1:XFD1048576"/><cols><col min="1" max="16384"/></cols><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells>',
      ),
      ['1 row: 1'],
    ));

  it('have texts of every kind', async () =>
    assert.deepEqual(
      await rowsOf(
        `<sheetData><row r="1"><c t="s"><v>0</v></c><c t="s"><v>1</v></c><c t="s"><v>77</v></c><c t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r></is></c>
<c t="str"><f>A1</f><v>formula</v></c><c t="b"><v>1</v></c><c t="e"><v>#REF!</v></c><c t="d"><v>2024-05-01</v></c></row></sheetData>`,
        {
          sharedStrings:
            '<si><t>one</t></si><si><r><t>ri</t></r><r><t xml:space="preserve">ch text</t></r><rPh sb="0" eb="1"><t>left out</t></rPh></si>',
        },
      ),
      ['1 row: one|rich text||inline|formula|TRUE|#REF!|2024-05-01'],
    ));

  it('keep cells apart whose text has tabs and line breaks', async () =>
    assert.deepEqual(
      await rowsOf(
        '<sheetData><row r="1"><c t="inlineStr"><is><t>a\tb&#10;c_x0009_d</t></is></c><c><v>2</v></c></row></sheetData>',
      ),
      ['1 row: a b c d|2'],
    ));

  it('name their columns by a table, or by a first row of names', async () => {
    const cells = (...texts: readonly string[]): string =>
      texts
        .map((text) => (/^\d/.test(text) ? `<c><v>${text}</v></c>` : `<c t="inlineStr"><is><t>${text}</t></is></c>`))
        .join('');
    const sheet = `<sheetData><row r="1">${cells('Prices of 2024')}</row><row r="2">${cells('Name', 'Price')}</row><row r="3">${cells('Tea', '3')}</row></sheetData>`;
    assert.deepEqual(await rowsOf(sheet), ['1 row: Prices of 2024', '2 header: Name|Price', '3 row: Tea|3']);
    assert.deepEqual(
      await rowsOf(`<sheetData><row r="1">${cells('1', '2')}</row><row r="2">${cells('3', '4')}</row></sheetData>`),
      ['1 row: 1|2', '2 row: 3|4'],
    );
    const table = {
      more: [
        {
          name: 'xl/worksheets/_rels/sheet1.xml.rels',
          content: '<Relationships><Relationship Id="r" Type="x/table" Target="../tables/table1.xml"/></Relationships>',
        },
        { name: 'xl/tables/table1.xml', content: '<table ref="A3:B9"/>' },
      ],
    };
    assert.deepEqual((await rowsOf(sheet, table)).at(-1), '3 header: Tea|3');
  });

  it('are refused for entities and document types', async () => {
    const laughs = Array.from(
      { length: 9 },
      (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
    ).join('');
    const bombs = [
      `<!DOCTYPE w [<!ENTITY l0 "ha">${laughs}]><sheetData/>`,
      '<sheetData>&unknown;</sheetData>',
      '<sheetData><row>',
    ];
    for (const xml of bombs) assert.equal(await readCode(write({ sheets: { S: xml } })), 'CORRUPT', xml.slice(0, 40));
    const outside = '<!DOCTYPE sst SYSTEM "file:///etc/passwd"><si><t>x</t></si>';
    assert.equal(await readCode(write({ sheets: { S: '<sheetData/>' }, sharedStrings: outside })), 'CORRUPT');
    assert.equal(await readCode(write({ sheets: { S: '<a>'.repeat(100_000) } })), 'CORRUPT');
  });

  it('are refused for more cells and more text than the limits', async () => {
    const row = (number: number): string => `<row r="${number}"><c><v>1</v></c><c><v>2</v></c></row>`;
    const many = `<sheetData>${Array.from({ length: 100 }, (_, index) => row(index + 1)).join('')}</sheetData>`;
    assert.equal(await readCode(write({ sheets: { S: many } }), 'a.xlsx', { cells: 199 }), 'TOO_LARGE');
    assert.equal((await readFacts(write({ sheets: { S: many } }))).elements.length, 100);
    const wide = `<sheetData>${Array.from({ length: 2_000 }, (_, index) => `<row r="${index + 1}"><c r="XFD${index + 1}"><v>1</v></c></row>`).join('')}</sheetData>`;
    assert.equal(await readCode(write({ sheets: { S: wide } })), 'TOO_LARGE');
  });

  it('cannot name parts outside of them', async () => {
    const more = [
      {
        name: 'xl/worksheets/_rels/sheet1.xml.rels',
        content:
          '<Relationships><Relationship Id="r" Type="x/table" Target="../../../../../etc/passwd"/><Relationship Id="s" Type="x/table" Target="file:///etc/passwd"/></Relationships>',
      },
    ];
    assert.equal((await readFacts(write({ sheets: { S: '<sheetData/>' }, more }))).elements.length, 0);
  });

  it('give every text back that a cell can have', async () => {
    const text = fc
      .string({ unit: 'grapheme', maxLength: 30 })
      .map((value) => value.replace(/[\s\p{C}]/gu, '').normalize('NFC'));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(text, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }),
        async (table) => {
          const rows = table.map(
            (cells) =>
              `<row>${cells.map((cell) => `<c t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`).join('')}</row>`,
          );
          const { elements } = await readFacts(write({ sheets: { S: `<sheetData>${rows.join('')}</sheetData>` } }));
          const expected = table
            .map((cells, index) => [index + 1, cells.join('\t').trimEnd()] as const)
            .filter(([, row]) => row.trim() !== '');
          const found = elements.map(({ anchor, text: row }) => [anchor.type === 'row' ? anchor.rowStart : 0, row]);
          assert.deepEqual(
            found.map(([number]) => number),
            expected.map(([number]) => number),
          );
          assert.deepEqual(
            found.map(([, row]) => withoutLigatures(String(row))),
            expected.map(([, row]) => withoutLigatures(row)),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never break the reader, whatever their XML is', async () => {
    const piece = fc.constantFrom(
      '<row r="2">',
      '</row>',
      '<c r="B2" t="s">',
      '<c t="n" s="4">',
      '</c>',
      '<v>',
      '</v>',
      '1e999',
      '-1',
      '<is><t>',
      '</t></is>',
      '<sheetData>',
      '</sheetData>',
      '<mergeCell ref="A1:B9"/>',
      '&lt;',
      '&',
      '<row r="-5" hidden="1">',
      '<c r="ZZZZ9">',
      '<![CDATA[x]]>',
      '<!-- -->',
      '\0',
      'text',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        await readFile(write({ sheets: { S: pieces.join('') } }));
      }),
      { numRuns: 150 },
    );
  });
});

const withoutLigatures = (text: string): string => text.normalize('NFKC');

describe('numbers of cells', () => {
  const cases: readonly (readonly [string, number, string | undefined, string])[] = [
    ['0.30000000000000004', 0, undefined, '0.3'],
    ['1E-3', 0, undefined, '0.001'],
    ['12345678901234567890', 0, undefined, '12345678901234600000'],
    ['45413', 14, undefined, '2024-05-01'],
    ['45413.5', 22, undefined, '2024-05-01 12:00'],
    ['0.75', 20, undefined, '18:00'],
    ['1', 14, undefined, '1900-01-01'],
    ['59', 14, undefined, '1900-02-28'],
    ['60', 14, undefined, '1900-02-29'],
    ['61', 14, undefined, '1900-03-01'],
    ['2958465', 14, undefined, '9999-12-31'],
    ['2958466', 14, undefined, '2958466'],
    ['-1', 14, undefined, '-1'],
    ['0.153', 9, undefined, '15.3%'],
    ['1.0625', 46, undefined, '25:30:00'],
    ['45413', 164, 'dd\\.mm\\.yyyy', '2024-05-01'],
    ['45413', 164, '[$-409]mmm d, yyyy;@', '2024-05-01'],
    ['0.5', 164, 'h:mm AM/PM', '12:00'],
    ['3', 164, '0 "days"', '3'],
    ['3', 164, '[Red]0.00', '3'],
    ['3', 164, '[$€-407]#,##0.00', '3'],
    ['0.5', 164, '0.0%', '50%'],
    ['text', 14, undefined, 'text'],
  ];
  for (const [stored, id, code, expected] of cases)
    it(`${stored} in the format ${code ?? id} is ${expected}`, () =>
      assert.equal(cellNumberText(stored, numberKind(id, code), false), expected));

  it('count from 1904 where the workbook says so', () =>
    assert.equal(cellNumberText('43951', numberKind(14, undefined), true), '2024-05-01'));
});
