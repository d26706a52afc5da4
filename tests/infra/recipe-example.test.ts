/** The recipe's worked example, compiled where its files would lie, and its own test run. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeBlocksOf } from '../support/documents/code-blocks';
import { useTemporaryDirectory } from '../support/files/temporary-directory';

const root = process.cwd();
const sides = ['domain', 'commands', 'projections', 'read-api', 'tests'];

const link = (directory: string, name: string): void => symlinkSync(join(root, name), join(directory, name));

describe("the recipe's worked example", () => {
  const directory = useTemporaryDirectory('recipe');
  const files = codeBlocksOf('docs/recipe.md').map(({ text }) => ({
    name: /^\/\/ (\S+)\n/.exec(text)?.[1] ?? '',
    text,
  }));

  before(() => {
    // An additional context beside the existing ones.
    for (const side of sides) {
      mkdirSync(join(directory, side));
      for (const entry of readdirSync(join(root, side))) link(directory, join(side, entry));
    }
    for (const name of ['infra', 'packages', 'node_modules', 'package.json']) link(directory, name);
    for (const { name, text } of files) {
      mkdirSync(join(directory, dirname(name)), { recursive: true });
      writeFileSync(join(directory, name), text);
    }
    const { compilerOptions } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as {
      readonly compilerOptions: object;
    };
    const project = {
      compilerOptions: { ...compilerOptions, incremental: false, tsBuildInfoFile: null },
      files: files.map(({ name }) => name),
    };
    writeFileSync(join(directory, 'tsconfig.json'), JSON.stringify(project));
  });

  it('has a file for every part', () =>
    assert.deepEqual(
      sides.filter((side) => !files.some(({ name }) => name.startsWith(`${side}/bookmarks/`))),
      [],
    ));

  it('compiles', () => {
    const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.json'], {
      cwd: directory,
      encoding: 'utf8',
    });
    assert.equal(stdout, '');
  });

  it('passes its own test', () => {
    const mocha = join(root, 'node_modules', 'mocha', 'bin', 'mocha.js');
    const test = files.find(({ name }) => name.startsWith('tests/'))?.name ?? '';
    const output = execFileSync(process.execPath, [mocha, '--require', 'tsx/cjs', test], {
      cwd: directory,
      encoding: 'utf8',
    });
    assert.match(output, /3 passing/);
  });
});
