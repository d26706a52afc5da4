import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createShutdownSteps } from '../../infra/server/runtime/shutdown';

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {}, audit: () => {} };
const children: ChildProcess[] = [];

const started = async (env: Record<string, string> = {}): Promise<ChildProcess> => {
  const child = fork('tests/support/processes/sample-service.main.ts', {
    env: { ...process.env, SEPTET_CHILD: '1', ...env },
    execArgv: ['-r', 'tsx/cjs'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  children.push(child);
  await once(child, 'message');
  return child;
};

const ended = async (child: ChildProcess): Promise<unknown[]> => once(child, 'exit');

describe('shutdown', () => {
  after(() => {
    for (const child of children) child.kill('SIGKILL');
  });

  it('closes in reverse order, every part, once', async () => {
    const closed: string[] = [];
    const all = createShutdownSteps(silent);
    all.add('first', async () => void closed.push('first'));
    all.add('second', () => Promise.reject(new Error('stuck')));
    all.add('third', async () => void closed.push('third'));
    assert.deepEqual(await Promise.all([all.close(), all.close()]), [false, false]);
    assert.deepEqual(closed, ['third', 'first']);
  });

  it('drains at SIGTERM and exits with 0', async () => {
    const child = await started();
    child.kill('SIGTERM');
    assert.deepEqual(await ended(child), [0, null]);
  });

  it('ends at once at the second signal', async () => {
    const child = await started({ SAMPLE_STUCK: '1' });
    child.kill('SIGTERM');
    await once(child, 'message');
    child.kill('SIGTERM');
    assert.deepEqual(await ended(child), [1, null]);
  });

  it('ends when its launcher is gone', async () => {
    const child = await started();
    child.disconnect();
    assert.deepEqual(await ended(child), [0, null]);
  });

  it('stops with 1 and names every fault when the configuration is not usable', async () => {
    const child = fork('tests/support/processes/sample-service.main.ts', {
      env: { ...process.env, PORT: 'hunter2', CURSOR_KEY: 'hunter2', LOG_LEVEL: 'hunter2' },
      execArgv: ['-r', 'tsx/cjs'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    children.push(child);
    let output = '';
    child.stdout?.on('data', (bytes) => {
      output += bytes;
    });
    assert.deepEqual(await once(child, 'close'), [78, null]);
    for (const variable of ['PORT', 'CURSOR_KEY', 'LOG_LEVEL']) assert.match(output, new RegExp(`"${variable}"`));
    assert.doesNotMatch(output, /hunter2/);
  });
});
