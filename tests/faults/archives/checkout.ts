/** A checkout with one more context, as in the recipe: its folders on each side, a line in the list of contexts and one in that of sections. */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const folders = ['domain', 'commands', 'projections', 'read-api', 'infra', 'packages', 'docs', 'tests/faults/archives'];
/** Built elsewhere, and large. */
const isSource = (path: string): boolean => !['node_modules', 'target', 'dist'].includes(basename(path));

const files = {
  'domain/archives/aggregates.ts': `export { aggregates as context } from '../../tests/faults/archives/context/domain';`,
  'domain/archives/processes.ts': `export { processes } from '../../tests/faults/archives/context/domain';`,
  'domain/archives/context.ts': `export { context } from '../../tests/faults/archives/context/domain';`,
  'commands/archives/context.ts': `export { commands as context } from '../../tests/faults/archives/context/commands';`,
  'commands/archives/processes.ts': `export { bound as context } from '../../tests/faults/archives/context/extraction';`,
  'projections/archives/context.ts': `export { views as context } from '../../tests/faults/archives/context/projections';`,
  'read-api/archives/context.ts': `export { queries as context } from '../../tests/faults/archives/context/queries';`,
  'read-api/web/archives/section.ts': `export { archives } from '../../../tests/faults/archives/context/section.page';`,
};

/** Where contexts are listed, and what is imported there. */
const lists: readonly { readonly file: string; readonly from: string; readonly name?: string }[] = [
  { file: 'domain/contexts.ts', from: './archives/context' },
  { file: 'domain/aggregates.ts', from: './archives/aggregates' },
  { file: 'domain/processes.ts', from: './archives/processes', name: 'processes' },
  { file: 'commands/composition/contexts.ts', from: '../archives/context' },
  { file: 'commands/composition/processes.ts', from: '../archives/processes' },
  { file: 'projections/composition/projections.ts', from: '../archives/context' },
  { file: 'read-api/composition/contexts.ts', from: '../archives/context' },
];

const addTo = (
  path: string,
  list: RegExp,
  { line, entry }: { readonly line: string; readonly entry: string },
): void => {
  const text = readFileSync(path, 'utf8');
  const changed = text.replace(list, (begin) => `${begin}, ${entry}`);
  if (changed === text) throw new Error(`${path} has no list ${list.source}`);
  writeFileSync(path, `${line}\n${changed}`);
};

export const makeCheckout = (directory: string): void => {
  for (const folder of folders)
    cpSync(join(root, folder), join(directory, folder), { recursive: true, filter: isSource });
  for (const file of ['package.json', 'tsconfig.json', 'README.md']) cpSync(join(root, file), join(directory, file));
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'));
  // The key of a bundle covers no tests, where the context's sources are: this checkout has bundles of its own.
  writeFileSync(join(directory, 'infra', 'checkout'), directory);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory, dirname(path)), { recursive: true });
    writeFileSync(join(directory, path), `${text}\n`);
  }
  for (const { file, from, name = 'context' } of lists)
    addTo(join(directory, file), /\bidentity(?=,\s*privacy)/, {
      line: `import { ${name} as archives } from '${from}';`,
      entry: 'archives',
    });
  addTo(
    join(directory, 'read-api', 'web', 'shell', 'section-list.ts'),
    /sectionList: readonly Section\[\] = \[[^\]]+/,
    {
      line: `import { archives } from '../archives/section';`,
      entry: 'archives',
    },
  );
};
