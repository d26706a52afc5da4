/** Every file of public projects stands in a table with its licence, no row is stale, and the README counts them by format. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, parse } from 'node:path';
import { fixture } from './read';

const formats: { readonly [extension: string]: string } = {
  ...{
    '.pdf': 'PDF',
    '.docx': 'DOCX',
    '.pptx': 'PPTX',
    '.xlsx': 'XLSX',
    '.xlsm': 'XLSX',
    '.csv': 'CSV',
    '.tsv': 'CSV',
  },
  ...{ '.html': 'HTML', '.markdown': 'Markdown', '.txt': 'Text', '.wav': 'Sound' },
  ...{ '.c': 'Code', '.go': 'Code', '.py': 'Code', '.rs': 'Code', '.toml': 'Code' },
  ...{
    '.bmp': 'Picture',
    '.gif': 'Picture',
    '.jpg': 'Picture',
    '.png': 'Picture',
    '.tif': 'Picture',
    '.tiff': 'Picture',
  },
  '.webp': 'Picture',
};

const tables = ['README.md', 'office-and-pictures.md'].map((name) => readFileSync(fixture(name), 'utf8'));

const folders = readdirSync(fixture(), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const files = folders.flatMap((folder) => readdirSync(fixture(folder)).map((name) => `${folder}/${name}`));

interface Row {
  readonly files: readonly string[];
  readonly licence: string;
}

/** Of a cell: `folder/file.ext`, `folder/`: `file`, `other`, or `folder/` with all that no other row names. */
const namedIn = (cell: string): { readonly files: readonly string[]; readonly rest: readonly string[] } => {
  const named: string[] = [];
  const rest: string[] = [];
  let folder = '';
  for (const [, code = '', after = ''] of cell.matchAll(/`([^`]+)`([^`]*)/g)) {
    if (code.endsWith('/')) {
      folder = code;
      if (!after.startsWith(':') || after.includes('all others')) rest.push(code);
    } else {
      const path = code.includes('/') ? code : `${folder}${code}`;
      named.push(...files.filter((file) => file === path || withoutExtension(file) === path).map(String));
      assert.ok(
        files.some((file) => file === path || withoutExtension(file) === path),
        `${path} is not there`,
      );
    }
  }
  return { files: named, rest };
};
const withoutExtension = (file: string): string => join(parse(file).dir, parse(file).name);

const cells = tables.flatMap((table) =>
  [...table.matchAll(/^\| (`.*) \| (.*) \| (.*) \|$/gm)].map(([, named = '', from = '', licence = '']) => ({
    named: namedIn(named),
    from,
    licence,
  })),
);
const namedAlone = new Set(cells.flatMap(({ named }) => named.files));
const rows: readonly Row[] = cells.map(({ named, licence }) => ({
  files: [
    ...named.files,
    ...files.filter((file) => !namedAlone.has(file) && named.rest.some((folder) => file.startsWith(folder))),
  ],
  licence,
}));

describe('files of public projects', () => {
  it('each stand in one row of a table, which has a licence', () => {
    const counts = new Map(files.map((file) => [file, 0]));
    for (const row of rows) for (const file of row.files) counts.set(file, (counts.get(file) ?? 0) + 1);
    // What other readers find in them is ours, and described above the tables.
    const isKnown = (file: string, count: number) =>
      file.endsWith('.json') ? tables.some((table) => table.includes(`\`${file}\``)) : count === 1;
    const differing = [...counts].filter(([file, count]) => !isKnown(file, count));
    assert.deepEqual(differing, []);
    for (const { files: named, licence } of rows) {
      assert.ok(named.length > 0, `a row of ${licence} names no file`);
      assert.match(
        licence,
        /^(?:(?:Apache-2\.0|BSD-[23]-Clause|CC-BY-SA-[34]\.0|MIT|MIT-CMU|MPL-2\.0|public domain)(?: or |; |$))+$|^of this project$/,
      );
    }
  });

  it('are as many of each format as the README says, eighty at least', () => {
    const own = new Set(
      rows.filter(({ licence }) => licence === 'of this project').flatMap(({ files: named }) => named),
    );
    const counts: { [format: string]: number } = {};
    for (const file of files) {
      if (own.has(file) || file.endsWith('.json')) continue;
      const format = formats[parse(file).ext] ?? file;
      counts[format] = (counts[format] ?? 0) + 1;
    }
    const inReadme = Object.fromEntries(
      [...(tables[0] ?? '').matchAll(/^\| (\w+) \| (\d+) \|$/gm)].map(([, format, count]) => [format, Number(count)]),
    );
    assert.deepEqual(inReadme, counts);
    assert.ok(Object.values(counts).reduce((sum, count) => sum + count, 0) >= 80);
  });
});
