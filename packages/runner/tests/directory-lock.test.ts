/** One runner per directory. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { lockDirectory } from '../src/directory-lock';
import { startRunner } from '../src/index';
import { registrationToken } from './support/control-plane';
import { inDirectory, inRunner } from './support/fixture';

const release = (lock: Either<string, () => void>): void => {
  if (isLeft(lock)) assert.fail(lock.left);
  lock.right();
};

describe('the directory of a runner', function () {
  this.timeout(20_000);

  it('is used by one runner at a time', () =>
    inRunner(
      async ({ plane, directory, runner }) => {
        const options = { url: plane.url, token: registrationToken, directory, isolation: 'none' } as const;
        const second = await startRunner(options);
        assert.ok(isLeft(second));
        assert.match(second.left, new RegExp(`^Another runner, process ${process.pid}, uses `));
        await runner.close();
        const third = await startRunner(options);
        if (isLeft(third)) assert.fail(third.left);
        await third.right.close();
      },
      { isolation: 'none' },
    ));

  it('is free once its process died, also where another process has its number', () =>
    inDirectory(async (directory) => {
      const file = join(__dirname, '..', 'src', 'directory-lock.ts');
      const script = `require(${JSON.stringify(file)}).lockDirectory(${JSON.stringify(directory)}); process.send('locked'); setInterval(() => {}, 1000);`;
      const stdio = ['ignore', 'ignore', 'inherit', 'ipc'] as ('ignore' | 'inherit' | 'ipc')[];
      const child = spawn(process.execPath, ['-r', 'tsx/cjs', '-e', script], { stdio });
      await once(child, 'message');
      assert.ok(isLeft(lockDirectory(directory)));
      child.kill('SIGKILL');
      await once(child, 'exit');
      release(lockDirectory(directory));
      const path = join(directory, 'runner.lock');
      writeFileSync(path, JSON.stringify({ pid: process.pid, started: 'another boot 1', id: 'old' }));
      release(lockDirectory(directory));
      assert.deepEqual(readdirSync(directory), []);
    }));

  it('is got by one of many who find the lock of a process that died', () =>
    inDirectory(async (directory) => {
      const path = join(directory, 'runner.lock');
      writeFileSync(path, 'half of a lo');
      const locks = await Promise.all(Array.from({ length: 8 }, async () => lockDirectory(directory)));
      assert.equal(locks.filter(isRight).length, 1);
      assert.equal((JSON.parse(readFileSync(path, 'utf8')) as { pid: number }).pid, process.pid);
      for (const lock of locks.filter(isRight)) release(lock);
      assert.deepEqual(readdirSync(directory), []);
    }));

  it('keeps its credential where the address of an installation with a name of its own changes', () =>
    inRunner(
      async ({ plane, directory, runner }) => {
        await runner.close();
        const { port } = new URL(plane.url);
        const moved = await startRunner({
          url: `http://localhost:${port}`,
          directory,
          isolation: 'none',
          installation: 'one',
        });
        if (isLeft(moved)) assert.fail(moved.left);
        assert.equal(moved.right.runnerId, runner.runnerId);
        await moved.right.close();
        const other = await startRunner({ url: plane.url, directory, isolation: 'none', installation: 'two' });
        assert.ok(isLeft(other) && /needs a registration token/.test(other.left));
      },
      { isolation: 'none', installation: 'one' },
    ));
});
