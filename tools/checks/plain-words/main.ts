/** `npm run check:words`: names of files, declarations and comments use the field's terms, and texts for people the glossary's. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readArguments } from '../../../infra/server/runtime/command-line';
import { type Parsed, tool } from '../../../packages/command-line/src/index';
import { findTexts, phrasesOf } from './find-texts';
import { findInName, findWords } from './find-words';

const root = join(__dirname, '..', '..', '..');
const folders = ['domain', 'commands', 'projections', 'read-api', 'infra', 'packages', 'tools', 'tests'];
/** Where texts for people are; tests quote what they must not be. */
const served = /^(?:domain|commands|projections|read-api|infra|packages)\/(?!.*\.test\.)/;

export const program = tool({
  name: 'npm run check:words --',
  about: 'Finds words that hide a term, in names, comments and texts of sources.',
  arguments: [
    { name: 'path', about: 'files and folders, from the root (default: all sources)', many: true, optional: true },
  ],
  options: { count: { type: 'boolean', about: 'prints only the number of words in each folder' } },
});

const main = ({ options, arguments: { path: paths } }: Parsed<typeof program>): void => {
  const sources = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', ...(paths.length > 0 ? paths : folders)],
    {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    },
  )
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/\/generated\/|^tools\/checks\/plain-words\/|\.d\.ts$/.test(path));

  const phrases = phrasesOf(readFileSync(join(root, 'docs', 'glossary.md'), 'utf8'));
  const counts = new Map<string, number>();
  let total = 0;
  for (const path of sources) {
    const inName = findInName(basename(path).replace(/\..*$/, ''));
    const source = readFileSync(join(root, path), 'utf8');
    const found = [
      ...(inName === undefined ? [] : [{ line: 1, text: basename(path), ...inName }]),
      ...findWords(path, source),
      ...(served.test(path) ? findTexts(path, source, phrases) : []),
    ];
    total += found.length;
    const folder = path.split('/').slice(0, 2).join('/');
    if (found.length > 0) counts.set(folder, (counts.get(folder) ?? 0) + found.length);
    if (options.count) continue;
    for (const { line, text, word, instead } of found)
      process.stderr.write(`${path}:${line}: "${word}" in "${text}": ${instead}\n`);
  }
  if (options.count) for (const [folder, count] of counts) process.stdout.write(`${count}\t${folder}\n`);
  if (total > 0) {
    process.stderr.write(`${total} words hide a term; docs/glossary.md has the terms.\n`);
    process.exitCode = 1;
  }
};

if (require.main === module) main(readArguments(program));
