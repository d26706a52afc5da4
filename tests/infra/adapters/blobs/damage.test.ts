/** What happens to a directory of blobs behind its back. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import { openLocalBlobs } from '../../../../infra/adapters/blobs/local/local-blob-store';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { filesUnder } from '../../../contracts/blobs/local/files-under';
import {
  codeOf,
  expectSuccess,
  fiveMebibytes,
  putOf,
  readAll,
  storedBytes,
} from '../../../contracts/blobs/suite/store-calls';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { skip } from '../../../support/runner/skip';
import { eventually } from '../../../support/waiting/eventually';

const bytes = randomBytes(600_000);

const withBlobs = async (use: (blobs: BlobStore, directory: string) => Promise<void>): Promise<void> => {
  const home = temporaryDirectory('blob-damage');
  const blobs = expectSuccess(
    openLocalBlobs({ directory: home.path, secret: 's'.repeat(43), url: 'http://localhost' }),
  );
  try {
    await use(blobs, home.path);
  } finally {
    await blobs.close();
    home.remove();
  }
};

const onlyFile = (directory: string): string => {
  const [file, ...others] = filesUnder(join(directory, 'content'));
  assert.ok(file !== undefined && others.length === 0);
  return file;
};

describe('a damaged directory of blobs', () => {
  it('does not end a blob whose bytes are others as if it were well', () =>
    withBlobs(async (blobs, directory) => {
      expectSuccess(await blobs.put(putOf('a', bytes)));
      const file = onlyFile(directory);
      const changed = readFileSync(file);
      changed[599_999] = (changed[599_999] ?? 0) ^ 1;
      writeFileSync(file, changed);
      await assert.rejects(storedBytes(blobs, 'a'), { code: 'blob-damaged' });
    }));

  it('says so when a file is shorter, or gone', () =>
    withBlobs(async (blobs, directory) => {
      expectSuccess(await blobs.put(putOf('a', bytes)));
      const file = onlyFile(directory);
      truncateSync(file, 400_000);
      await assert.rejects(storedBytes(blobs, 'a'), { code: 'blob-damaged' });
      await assert.rejects(
        async () => readAll(expectSuccess(await blobs.get({ key: 'a', range: { first: 399_999 } }))),
        {
          code: 'blob-damaged',
        },
      );
      rmSync(file);
      assert.equal(codeOf(await blobs.get({ key: 'a' })), 'blob-damaged');
      expectSuccess(await blobs.put(putOf('a', bytes)));
      assert.ok(bytes.equals(await storedBytes(blobs, 'a')));
    }));

  it('ends a blob of parts with an error when it is removed while it is read', () =>
    withBlobs(async (blobs) => {
      const upload = expectSuccess(await blobs.beginUpload({ key: 'a', contentType: 'a/b' }));
      const [first, second] = [randomBytes(fiveMebibytes), randomBytes(100)];
      const tags = [];
      for (const [index, body] of [first, second].entries())
        tags.push(expectSuccess(await blobs.putPart({ upload, part: index + 1, body, size: body.length })));
      expectSuccess(await blobs.completeUpload(upload, tags));
      const content = expectSuccess(await blobs.get({ key: 'a' }));
      expectSuccess(await blobs.remove('a'));
      await assert.rejects(readAll(content), { code: 'blob-unknown' });
    }));

  it('cannot be opened where no directory can be', () => {
    const home = temporaryDirectory('blob-damage');
    const path = join(home.path, 'file');
    writeFileSync(path, '');
    const opened = openLocalBlobs({ directory: path, secret: 's'.repeat(43), url: 'http://localhost' });
    assert.ok(isLeft(opened) && opened.left.code === 'blob-store-unavailable');
    home.remove();
  });

  it('tells that it cannot be used once it is gone', () =>
    withBlobs(async (blobs, directory) => {
      rmSync(directory, { recursive: true });
      assert.equal(codeOf(await blobs.check()), 'blob-store-unavailable');
      assert.equal(codeOf(await blobs.put(putOf('a', bytes))), 'blob-store-unavailable');
      mkdirSync(directory);
    }));
});

describe('bodies from a directory of blobs', () => {
  const openFiles = (): number => readdirSync('/proc/self/fd').length;

  it('keep no file open, whether read, half read, given up or never begun', async function () {
    if (!existsSync('/proc/self/fd')) return skip(this, 'open files: there is no /proc here');
    await withBlobs(async (blobs) => {
      expectSuccess(await blobs.put(putOf('a', bytes)));
      const before = openFiles();
      for (let count = 0; count < 20; count += 1) {
        const given = new AbortController();
        const [begun, half, gone] = [
          expectSuccess(await blobs.get({ key: 'a' })),
          expectSuccess(await blobs.get({ key: 'a' })),
          expectSuccess(await blobs.get({ key: 'a', range: { first: 1 }, signal: given.signal })),
        ];
        begun.body.destroy();
        for await (const _chunk of half.body) break;
        gone.body.on('error', () => undefined);
        given.abort();
        await storedBytes(blobs, 'a');
      }
      await eventually(async () => assert.ok(openFiles() <= before, `${openFiles()} after ${before}`));
    });
  });
});

describe('the sweep of a directory of blobs', () => {
  const yesterday = new Date(Date.now() - 24 * 60 * 60 * 1_000);

  it('removes what a crash left, and neither what is young nor what is in use', () =>
    withBlobs(async (blobs, directory) => {
      expectSuccess(await blobs.put(putOf('kept', bytes)));
      utimesSync(onlyFile(directory), yesterday, yesterday);
      const names = ['ab', 'ff', '00'].map((start) => start.padEnd(32, '0'));
      const [old, other, young] = names.map((name) => join(directory, 'content', name.slice(0, 2), name)) as [
        string,
        string,
        string,
      ];
      for (const path of [old, other, young]) writeFileSync(path, 'x');
      for (const path of [old, other]) utimesSync(path, yesterday, yesterday);
      assert.equal(expectSuccess(await blobs.sweep(new Date().toISOString() as Instant)), 0);
      const left = filesUnder(join(directory, 'content'));
      assert.ok(!left.includes(old) && !left.includes(other) && left.includes(young));
      assert.ok(bytes.equals(await storedBytes(blobs, 'kept')));
    }));
});
