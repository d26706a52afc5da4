/** Processes that open the index of blobs, as every service does at its start, beside others that write it. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keyOf, openIndex } from '../../../../infra/adapters/blobs/local/lmdb-index';
import { killAndWait, reportOf } from '../../../support/processes/child-report';
import { typescript } from '../../../support/runner/compiled';

const opens = 80;

describe('an index of blobs that some open while others write', function () {
  this.timeout(120_000);
  // In memory where that is to be had: a disk commits too seldom for an opener to come between two of its own steps.
  const directory = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'septet-blobs-beside-'));
  const children: ChildProcess[] = [];
  const start = (...task: readonly string[]): ChildProcess => {
    const child = fork(join(__dirname, 'concurrent-index-worker.main.ts'), [directory, ...task], {
      execArgv: typescript(),
    });
    children.push(child);
    return child;
  };
  after(async () => {
    await Promise.all(children.map(killAndWait));
    rmSync(directory, { recursive: true, force: true });
  });

  it('has all that was written', async () => {
    const writers = [start('write'), start('write')];
    await Promise.all(writers.map(reportOf));
    await Promise.all([1, 2].map(() => reportOf(start('open', String(opens)))));
    const acknowledged = await Promise.all(
      writers.map(async (child) => {
        assert.ok(child.connected, `ended with ${child.signalCode ?? child.exitCode}`);
        const report = reportOf<{ readonly written: number }>(child);
        child.send('end');
        const { written } = await report;
        await killAndWait(child);
        return [`${child.pid}/`, written] as const;
      }),
    );
    const index = openIndex(directory);
    for (const [prefix, written] of acknowledged) {
      assert.ok(written > 0);
      // '0' comes after '/'.
      const range = { start: keyOf(prefix), end: keyOf(prefix.replace('/', '0')) };
      assert.equal([...index.tables.files.getKeys(range)].length, written);
    }
    await index.close();
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.includes('-writer.') || name.endsWith('.lock')),
      [],
    );
  });
});
