/** What a directory of blobs withstands: kills, and several processes at once. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Instant } from '../../domain/kernel/codec';
import { openLocalBlobs } from '../../infra/adapters/blobs/local/local-blob-store';
import type { BlobStore } from '../../infra/ports/blob-store';
import { filesUnder } from '../contracts/blobs/local/files-under';
import {
  codeOf,
  expectSuccess,
  sha256Of,
  storedBytes,
  storedText,
  textPut,
} from '../contracts/blobs/suite/store-calls';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { typescript } from '../support/runner/compiled';

const opened = (directory: string, now?: () => number): BlobStore =>
  expectSuccess(
    openLocalBlobs({
      directory,
      secret: 's'.repeat(43),
      url: 'http://localhost',
      ...(now === undefined ? {} : { now }),
    }),
  );

const start = (...script: readonly string[]): ChildProcess =>
  spawn(process.execPath, [...typescript(), 'tests/contracts/blobs/local/crash-worker.main.ts', ...script], {
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
    expectSuccess(await blobs.sweep(new Date(inFuture()).toISOString() as Instant));
    for (const [key, [sha256]] of expected)
      if (sha256 !== 'none') assert.equal(sha256Of(await storedBytes(blobs, key)), sha256);
    expectSuccess(await blobs.removeMany([...expected.keys()]));
    await blobs.close();
    assert.deepEqual(filesUnder(join(home.path, 'content')), []);
  });
});

describe('a directory of blobs and several processes', () => {
  const home = temporaryDirectory('blobs-processes');
  after(home.remove);

  it('lets one win each key that all of them claim, while another is killed', async () => {
    const killed = linesOf(start(home.path, 'write'), 45);
    const lines = await Promise.all([1, 2, 3].map(() => linesOf(start(home.path, 'claim', '60'))));
    assert.ok((await killed).length >= 45);
    const won = lines.flat().filter((line) => line !== 'ready');
    assert.deepEqual(won.toSorted(), Array.from({ length: 60 }, (_, index) => `won ${index}`).toSorted());
  });

  it('loses no increment of a counter that all of them replace', async () => {
    const blobs = opened(home.path);
    expectSuccess(await blobs.put(textPut('counter', '0')));
    await Promise.all([1, 2, 3].map(() => linesOf(start(home.path, 'increment', '15'))));
    assert.equal(Number(await storedText(blobs, 'counter')), 45);
    await blobs.close();
  });
});
