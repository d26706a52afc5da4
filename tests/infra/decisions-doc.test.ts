/** Decisions have one form, the index names each, and their paths exist. */
import { deepEqual, ok } from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFiles } from '../support/documents/project-files';

const root = join(__dirname, '..', '..');
const directory = join(root, 'docs', 'decisions');
const longestPage = 60;
const longestLine = 160;

const files = readdirSync(directory)
  .filter((name) => name !== 'README.md')
  .sort();
const linesOf = (name: string): readonly string[] => readFileSync(join(directory, name), 'utf8').trimEnd().split('\n');

/** `0015 Views are isolated`: number and title. */
const titleOf = (name: string): string => (linesOf(name)[0] ?? '').replace(/^# /, '');

/** Code spans that look like paths of this repository; no commands, URL paths or wildcards. */
const pathsIn = (lines: readonly string[]): readonly string[] =>
  [...lines.join('\n').matchAll(/`([^`\s]+)`/g)]
    .map(([, span = '']) => span)
    .filter((span) => /^(domain|commands|projections|read-api|infra|packages|tools|tests|docs|lint)\//.test(span))
    .filter((span) => !/[*{(]/.test(span));

/** `projections/<context>/aggregates.ts` exists when it does for any context; a folder exists through its files. */
const exists = (path: string, files: readonly string[]): boolean => {
  const segments = path
    .replace(/\/$/, '')
    .split(/<[^>]*>/)
    .map((text) => text.replace(/[.+?^$()[\]|\\]/g, '\\$&'));
  const pattern = new RegExp(`^${segments.join('[^/]+')}${path.endsWith('/') ? '/' : '(/|$)'}`);
  return files.some((file) => pattern.test(file));
};

/** `| 0015 | [Title](file.md) | what it decides |` */
const index = linesOf('README.md').flatMap((line) => {
  const [, number, title, file, decides] = /^\| (\d{4}) \| \[(.+)\]\(([^)]+)\) \| (.+) \|$/.exec(line) ?? [];
  return number === undefined ? [] : [{ number, title, file, decides }];
});

describe('the decisions', () => {
  it('are numbered in order, each number once, in the name and in the title', () => {
    const numbers = files.map((_, position) => String(position + 1).padStart(4, '0'));
    deepEqual(
      files.map((name) => name.slice(0, 5)),
      numbers.map((number) => `${number}-`),
    );
    deepEqual(
      files.filter((name) => !/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/.test(name)),
      [],
    );
    deepEqual(
      files.filter((name) => !linesOf(name)[0]?.startsWith(`# ${name.slice(0, 4)} `)),
      [],
    );
  });

  for (const name of files)
    it(`are one page of context, decision and consequences: ${name}`, () => {
      const lines = linesOf(name);
      deepEqual(
        lines.filter((line) => /^#/.test(line)),
        [lines[0], '## Context', '## Decision', '## Consequences'],
      );
      const empty = lines.filter((line, at) => /^## /.test(line) && (lines[at + 2] ?? '## ').startsWith('#'));
      deepEqual(empty, []);
      ok(lines.length <= longestPage, `${lines.length} lines`);
      deepEqual(
        lines.filter((line) => line.length > longestLine),
        [],
      );
    });

  it('are listed once each in the index, with their titles, in order', () => {
    deepEqual(
      index.map(({ number, title, file }) => `${number} ${title} ${file}`),
      files.map((name) => `${titleOf(name)} ${name}`),
    );
  });

  it('have no path that is gone', async () => {
    const known = await projectFiles();
    const gone = files.flatMap((name) =>
      pathsIn(linesOf(name))
        .filter((path) => !exists(path, known))
        .map((path) => `${name}: ${path}`),
    );
    deepEqual(gone, []);
  });
});
