/**
 * `npm run check:words`: names of files, declarations and comments use the field's terms, and texts for people the glossary's. Arguments are paths from the root; without them
 * all sources are read. `--count` prints the number of words in each folder.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findTexts, phrasesOf } from './find-texts';
import { findInName, findWords } from './find-words';

const root = join(__dirname, '..', '..', '..');
const folders = ['domain', 'commands', 'projections', 'read-api', 'infra', 'packages', 'tools', 'tests'];
/** Where texts for people are; tests quote what they must not be. */
const served = /^(?:domain|commands|projections|read-api|infra|packages)\/(?!.*\.test\.)/;
const phrases = phrasesOf(readFileSync(join(root, 'docs', 'glossary.md'), 'utf8'));
const options = process.argv.slice(2);
const paths = options.filter((option) => !option.startsWith('--'));

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
  if (options.includes('--count')) continue;
  for (const { line, text, word, instead } of found)
    process.stderr.write(`${path}:${line}: "${word}" in "${text}": ${instead}\n`);
}
if (options.includes('--count')) for (const [folder, count] of counts) process.stdout.write(`${count}\t${folder}\n`);
if (total > 0) {
  process.stderr.write(`${total} words hide a term; docs/glossary.md has the terms.\n`);
  process.exitCode = 1;
}
