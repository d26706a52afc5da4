/** What a directory of blobs withstands: kills, several processes at once, damage, and a full disk. */
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Instant } from '../../domain/kernel/codec';
import { openLocalBlobs } from '../../infra/blobs/local';
import type { Blobs } from '../../infra/ports/blobs';
import { temporaryDirectory } from '../support/event-store-node';
import { filesUnder } from './blobs-local-files';
import { codeOf, done, putOf, sha256Of, storedBytes, storedText, textPut } from './blobs-support';

const opened = (directory: string, now?: () => number): Blobs =>
  done(
    openLocalBlobs({
      directory,
      secret: 's'.repeat(43),
      url: 'http://localhost',
      ...(now === undefined ? {} : { now }),
    }),
  );

const start = (...script: readonly string[]): ChildProcess =>
  spawn(process.execPath, ['-r', 'tsx/cjs', 'tests/contracts/blobs-local.main.ts', ...script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', (code) => resolve(code)));

/** Its lines until it ends; killed after so many of them. */
const linesOf = async (child: ChildProcess, most = Number.POSITIVE_INFINITY): Promise<readonly string[]> => {
  const lines: string[] = [];
  const over = ended(child);
  for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
    lines.push(line);
    if (lines.length === most) child.kill('SIGKILL');
  }
  await over;
  return lines;
};

/** By key: the checksums that may be stored, the last one acknowledged or one begun after it. */
const possible = (before: ReadonlyMap<string, readonly string[]>, lines: readonly string[]) => {
  const found = new Map(before);
  for (const line of lines) {
    const [word = '', key = '', sha256 = ''] = line.split(' ');
    if (word === 'begin') found.set(key, [...(found.get(key) ?? ['none']), sha256]);
    if (word === 'done') found.set(key, [sha256]);
  }
  return found;
};

const inFuture = (): number => Date.now() + 10 * 24 * 60 * 60 * 1_000;

describe('a directory of blobs and kill -9', () => {
  const home = temporaryDirectory('blobs-crash');
  after(home.remove);

  it('has every acknowledged blob, no half one, and after a sweep no file too many', async () => {
    let expected: ReadonlyMap<string, readonly string[]> = new Map();
    for (const most of [30, 57, 90, 121]) {
      expected = possible(expected, await linesOf(start(home.path, 'write'), most));
      const blobs = opened(home.path);
      for (const [key, allowed] of expected) {
        const found =
          codeOf(await blobs.head(key)) === 'blob-unknown' ? 'none' : sha256Of(await storedBytes(blobs, key));
        assert.ok(allowed.includes(found), `${key} after ${most} lines`);
        expected = new Map([...expected, [key, [found]]]);
      }
      await blobs.close();
    }
    const blobs = opened(home.path, inFuture);
    done(await blobs.sweep(new Date(inFuture()).toISOString() as Instant));
    for (const [key, [sha256]] of expected)
      if (sha256 !== 'none') assert.equal(sha256Of(await storedBytes(blobs, key)), sha256);
    done(await blobs.removeMany([...expected.keys()]));
    await blobs.close();
    assert.deepEqual(filesUnder(join(home.path, 'content')), []);
  });
});

describe('a directory of blobs and several processes', () => {
  const home = temporaryDirectory('blobs-processes');
  after(home.remove);

  it('lets one win each key that all of them claim', async () => {
    const lines = await Promise.all([1, 2, 3].map(() => linesOf(start(home.path, 'claim', '60'))));
    const won = lines.flat().filter((line) => line !== 'ready');
    assert.deepEqual(won.toSorted(), Array.from({ length: 60 }, (_, index) => `won ${index}`).toSorted());
  });

  it('loses no increment of a counter that all of them replace', async () => {
    const blobs = opened(home.path);
    done(await blobs.put(textPut('counter', '0')));
    await Promise.all([1, 2, 3].map(() => linesOf(start(home.path, 'increment', '15'))));
    assert.equal(Number(await storedText(blobs, 'counter')), 45);
    await blobs.close();
  });
});

const mounted = (path: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

describe('a directory of blobs on a full disk', () => {
  const home = temporaryDirectory('blobs-full');
  before(function () {
    if (!mounted(home.path)) this.skip();
  });
  after(() => {
    try {
      execFileSync('umount', ['--lazy', home.path], { stdio: 'ignore' });
    } finally {
      home.remove();
    }
  });

  it('refuses large and small, serves what it has, and goes on once there is room', async () => {
    const [ballast, directory] = [join(home.path, 'ballast'), join(home.path, 'blobs')];
    writeFileSync(ballast, Buffer.alloc(8 * 1024 * 1024));
    mkdirSync(directory);
    const blobs = opened(directory);
    for (const size of [700_000, 9_000]) {
      const bytes = Buffer.alloc(size, 'x');
      const put = async (count: number): Promise<number> => {
        const code = codeOf(await blobs.put(putOf(`${size}-${count}`, bytes)));
        if (code === 'it succeeded') return put(count + 1);
        assert.equal(code, 'blob-store-full');
        return count;
      };
      const taken = await put(0);
      assert.ok(taken > 0);
      assert.equal(done(await blobs.list({ prefix: `${size}-` })).blobs.length, taken);
      assert.ok(bytes.equals(await storedBytes(blobs, `${size}-0`)));
      assert.deepEqual(filesUnder(join(directory, 'content', 'incoming')), []);
    }
    rmSync(ballast);
    done(await blobs.put(putOf('after', Buffer.alloc(700_000, 'y'))));
    done(await blobs.put(putOf('after-small', Buffer.alloc(9_000, 'y'))));
    assert.equal((await storedBytes(blobs, 'after')).length, 700_000);
    await blobs.close();
  });
});
