import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endProcessesOf } from '../run/leftovers';
import { temporaryDirectory } from '../support/files/temporary-directory';

describe('what a run of the tests leaves behind', () => {
  const home = temporaryDirectory('leftovers');
  after(home.remove);

  it('is ended also where a process shows the run in its working directory alone, as Valkey does', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => undefined, 60_000)'], {
      cwd: home.path,
      env: {},
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    await endProcessesOf(home.path);
    assert.deepEqual(await ended, [null, 'SIGKILL']);
  });
});
