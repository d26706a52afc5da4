/** The lock of a runner's directory. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { lockDirectory } from '../../../packages/runner/src/directory-lock';
import { temporaryDirectory } from '../../support/files/temporary-directory';

const release = (lock: Either<string, () => void>): void => {
  if (isLeft(lock)) assert.fail(lock.left);
  lock.right();
};

const inDirectory = async (work: (directory: string) => Promise<void>): Promise<void> => {
  const { path, remove } = temporaryDirectory('runner-lock');
  await work(path).finally(remove);
};

describe('the lock of a directory of a runner', function () {
  this.timeout(20_000);

  it('is free once its process died, also where another process has its number', () =>
    inDirectory(async (directory) => {
      const file = join(__dirname, '../../../packages/runner/src/directory-lock.ts');
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
});
