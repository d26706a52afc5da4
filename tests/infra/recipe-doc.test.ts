/** The recipe: its steps name files that contexts have, and names that the code declares. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { matchesIn, projectFiles } from '../support/documents/project-files';

const root = join(__dirname, '..', '..');
const sides = ['domain', 'commands', 'projections', 'read-api', 'infra', 'packages', 'tests'];

/** Without the worked example, which a test of its own compiles. */
const prose = readFileSync(join(root, 'docs/recipe.md'), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
const spans = [...prose.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

/** `bindProcess(process, { … })` names `bindProcess`, `danger: true` names `danger`. Arguments are examples. */
const namesIn = (span: string): readonly string[] => {
  if (/^[A-Za-z]+$/.test(span)) return [span];
  const [, field] = /^([A-Za-z]+): (?:true|false)$/.exec(span) ?? [];
  const calls = [...span.matchAll(/([A-Za-z]+)\(/g)].map(([, name = '']) => name);
  return field === undefined ? calls : [field, ...calls];
};

/** Exported values and types, and members of types. */
const declarations = '(export (const|function|interface|type|class)|readonly) [A-Za-z]+';

const isPath = (span: string): boolean => !span.includes(' ') && /[/.]/.test(span) && /\.[a-z]+$|\/$/.test(span);

/** `domain/<context>/<process>/process.ts` as a pattern over paths; a name alone is of any folder. */
const patternOf = (path: string): RegExp => {
  const pattern = path
    .split(/<[a-z]+>/)
    .map((part) => part.replaceAll(/[.]/g, '\\.'))
    .join('[^/]+');
  return new RegExp(`${path.includes('/') ? '^' : '(?:^|/)'}${pattern}${path.endsWith('/') ? '' : '$'}`);
};

describe('the recipe', () => {
  it('names what the code declares', async () => {
    const declared = new Set((await matchesIn(declarations, sides)).map((line) => line.replace(/^.* /, '')));
    const names = spans.flatMap(namesIn);
    assert.ok(names.length > 60, `${names.length} names`);
    assert.deepEqual(
      names.filter((name) => !declared.has(name)),
      [],
    );
  });

  it('names files that are there, whatever their context', async () => {
    const files = await projectFiles();
    const paths = spans.filter(isPath);
    assert.ok(paths.length > 30, `${paths.length} paths`);
    assert.deepEqual(
      paths.filter((path) => !files.some((file) => patternOf(path).test(file))),
      [],
    );
  });
});
