/** Processes that a killed launcher left, and what the next one does about them. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { endLeftChildren, forgetChild, recordChild } from '../../../../infra/operate/launch/child-records';
import { markOf } from '../../../../packages/data-directory/src/process-identity';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

describe('processes that a killed launcher left', () => {
  const data = useTemporaryDirectory('child-records');
  const messages: string[] = [];
  const children: ChildProcess[] = [];
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    messages.length = 0;
  });

  const leave = async (name: string): Promise<number> => {
    const script = "console.log('on'); setInterval(() => undefined, 1_000)";
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(child);
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    const pid = child.pid as number;
    recordChild(data, name, pid);
    return pid;
  };
  const end = (): Promise<void> => endLeftChildren(data, (name, message) => void messages.push(`${name}: ${message}`));

  it('are ended, and named', async () => {
    const pids = [await leave('runner'), await leave('eventstore')];
    await end();
    assert.deepEqual(pids.map(markOf), [undefined, undefined]);
    const [runner, eventStore] = pids;
    const line = (name: string, pid?: number): string =>
      `${name}: process ${pid} is left of a launcher that was killed; it is ended`;
    assert.deepEqual(messages.sort(), [line('eventstore', eventStore), line('runner', runner)]);
    assert.equal(existsSync(join(data, 'processes')), false);
  });

  it('are no strangers that have a recorded id by now', async () => {
    const pid = await leave('runner');
    const path = join(data, 'processes', 'runner.json');
    writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), started: 'earlier' }));
    await end();
    assert.ok(markOf(pid), 'the stranger lives');
    assert.deepEqual(messages, []);
  });

  it('are none where each ended in time, nothing was recorded, or a record is cut off', async () => {
    await leave('runner');
    forgetChild(data, 'runner');
    await end();
    await end();
    recordChild(data, 'runner', process.pid);
    writeFileSync(join(data, 'processes', 'runner.json'), '{"pid":1');
    await end();
    assert.deepEqual(messages, []);
  });
});
