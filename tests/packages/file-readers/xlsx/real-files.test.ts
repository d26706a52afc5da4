/** Workbooks of public projects: every cell agrees with a second reader, which is `python-calamine` 0.9.1. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fixture, readFacts } from '../read';
import { isSameCell, type OtherSheet } from './cells';

const others = JSON.parse(readFileSync(fixture('xlsx', 'cells-by-calamine.json'), 'utf8')) as Readonly<
  Record<string, readonly OtherSheet[]>
>;

/** It drops the blanks of a text that another program keeps, and takes a date of nothing for a time. */
const exceptions = new Set(['formatted_inline_string.xlsx Sheet1 1', 'date_field.xlsx Sheet1 5']);

const readRows = async (name: string): Promise<ReadonlyMap<string, readonly string[]>> => {
  const { elements } = await readFacts(fixture('xlsx', name));
  return new Map(
    elements.map(({ anchor, text }) => {
      assert.ok(anchor.type === 'row' && anchor.rowStart === anchor.rowEnd);
      return [`${anchor.sheet} ${anchor.rowStart}`, text.split('\t')];
    }),
  );
};

describe('workbooks of public projects', () => {
  for (const [name, sheets] of Object.entries(others))
    it(`have the cells that another reader finds: ${name}`, async () => {
      const rows = await readRows(name);
      for (const { sheet, rows: otherRows } of sheets)
        for (const [number, cells] of otherRows) {
          const ours = rows.get(`${sheet} ${number}`) ?? [];
          for (const [column, cell] of cells.entries())
            if (cell !== '' && !exceptions.has(`${name} ${sheet} ${number}`))
              assert.ok(
                isSameCell(ours[column] ?? '', cell),
                JSON.stringify([sheet, number, column, ours[column], cell]),
              );
        }
      const found = new Set(
        sheets.flatMap(({ sheet, rows: otherRows }) => otherRows.map(([number]) => `${sheet} ${number}`)),
      );
      const firstRows = [...rows.keys()].filter((key) => Number(key.slice(key.lastIndexOf(' '))) <= 60);
      assert.deepEqual(
        firstRows.filter((key) => !found.has(key)),
        [],
      );
    });

  it('say what is hidden in them, and read it', async () => {
    const { facts, elements } = await readFacts(fixture('xlsx', 'hidden_sheets.xlsx'));
    assert.deepEqual(facts.notices, ['Sheet "hidden" is hidden in the workbook; its rows are found all the same.']);
    assert.ok(elements.some(({ anchor }) => anchor.type === 'row' && anchor.sheet === 'hidden'));
    const rows = await readFacts(fixture('xlsx', 'complex_hidden_sheets.xlsx'));
    assert.deepEqual(rows.facts.notices, [
      'Sheet "Sheet1" has 3 hidden rows, which are found all the same.',
      'Sheet "Sheet1" has hidden columns, which are found all the same.',
    ]);
  });

  it('have their sheets in order, those without cells, too', async () => {
    const { facts } = await readFacts(fixture('xlsx', 'file_with_an_empty_sheet.xlsx'));
    assert.equal(facts.parts.length, 3);
  });

  it('repeat the text of merged cells in each row below', async () => {
    const rows = await readRows('complex-merged-cells-sheet.xlsx');
    assert.deepEqual(
      [...rows.values()].map((cells) => cells.join('|')),
      [
        '1||2|3|15|16|22||24',
        '1||4|5|15|17|22||24',
        '6|7|8|9|15|18|22||24',
        '10|11||12|19||23||24',
        '13|11||14|20||23||24',
        '21||||||23||24',
        '25',
      ],
    );
  });

  it('name their columns where their first rows do', async () => {
    const { elements } = await readFacts(fixture('xlsx', 'covid_19-iss.xlsx'));
    const headers = elements.filter(({ kind }) => kind === 'header').map(({ text }) => text);
    assert.ok(headers.includes('iss_date\tDATA_PRELIEVO_DIAGNOSI\tCASI'));
  });
});
