/** The program that reads documents, as a sandbox has it: files in one directory, and Node where every user can start it. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openReaderProgram, reachableNode } from '../../../../infra/adapters/file-reader/reader-program';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

const sample = join('tests', 'packages', 'file-readers', 'files', 'csv', 'iris.csv');

describe('the program that reads documents', () => {
  const directory = useTemporaryDirectory('reader-program');

  let runs = 0;
  const read = (without: readonly string[] = [], damaged: readonly string[] = []): { readonly format: string } => {
    runs += 1;
    const work = join(directory, `run-${runs}`);
    mkdirSync(work);
    for (const { name, content } of openReaderProgram().files)
      if (!without.includes(name))
        writeFileSync(join(work, name), damaged.includes(name) ? content.subarray(0, 100) : content);
    copyFileSync(sample, join(work, 'file'));
    const input = JSON.stringify({ mode: 'read', ending: 'csv' });
    execFileSync(process.execPath, [join(work, 'reader.cjs'), join(work, 'file'), work], { input });
    return JSON.parse(readFileSync(join(work, 'result.json'), 'utf8')) as { readonly format: string };
  };

  it('runs from its compiled code', () => {
    assert.equal(read().format, 'csv');
  });

  it('runs without it, as it is compiled then', () => {
    assert.equal(read(['program.compiled']).format, 'csv');
  });

  it('runs where the compiled code is damaged', () => {
    assert.equal(read([], ['program.compiled']).format, 'csv');
  });

  it('has Node where it is, on the path, or as a copy that every user can start', () => {
    assert.deepEqual(reachableNode('/bin/sh'), { node: '/bin/sh', copy: undefined });
    const closed = join(directory, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const program = join(closed, 'node');
    writeFileSync(program, '#!/bin/sh\necho started\n', { mode: 0o755 });
    const bin = join(directory, 'bin');
    mkdirSync(bin, { mode: 0o755 });
    const { node, copy } = reachableNode(program, [bin]);
    assert.ok(node !== undefined && copy !== undefined && existsSync(node));
    assert.equal(statSync(node).mode & 0o005, 0o005);
    assert.equal(execFileSync(node, { encoding: 'utf8' }), 'started\n');
  });
});
