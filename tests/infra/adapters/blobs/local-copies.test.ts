/** Local copies: one download for all who want it at once, room that is reserved, and nothing left behind. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { isLeft, isRight, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import { openLocalCopies } from '../../../../infra/adapters/blobs/local-copies';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import { expectRight } from '../../../support/domain/expect-right';
import { useTemporaryDirectory } from '../../../support/files/temporary-directory';

const gigabyte = 1_073_741_824;

describe('local copies', () => {
  const directory = useTemporaryDirectory('local-copies');

  const open = (free = 10 * gigabyte) => {
    const machine = { free, reads: 0, fails: false };
    const get: BlobStore['get'] = async ({ key }) => {
      machine.reads += 1;
      if (machine.fails) return left(fault('blob-store-unavailable', 'Object storage is away.'));
      const content = Buffer.from(key.repeat(3));
      return right({ info: {} as never, first: 0, length: content.length, body: Readable.from([content]) });
    };
    const copies = openLocalCopies({ blobs: { get }, directory, freeBytes: async () => machine.free });
    const take = (key: string, roomBytes = 0) =>
      copies.take({
        ...{ key, etag: `"${key}"`, sizeBytes: key.length * 3, roomBytes },
        signal: new AbortController().signal,
      });
    return { machine, copies, take };
  };

  it('are read once for all who want the same, and again for others', async () => {
    const { machine, copies, take } = open();
    const taken = await Promise.all(['a', 'a', 'b', 'a'].map((key) => take(key)));
    const paths = taken.map((one) => expectRight(one).path);
    assert.equal(machine.reads, 2);
    assert.equal(new Set(paths).size, 2);
    assert.equal(readFileSync(paths[0] ?? '', 'utf8'), 'aaa');
    expectRight(await take('a')).release();
    assert.equal(machine.reads, 2);
    await copies.close();
  });

  it('are refused where they, or what is written beside them, do not fit, and make room for others', async () => {
    const { machine, copies, take } = open(2 * gigabyte);
    const first = expectRight(await take('a', gigabyte - 3));
    const refused = await take('b', 1);
    assert.ok(isLeft(refused) && refused.left.code === 'no-room-on-disk');
    first.release();
    assert.ok(isRight(await take('b', gigabyte - 3)));
    // Full for other reasons: what no job reads goes first.
    machine.free = 0;
    assert.ok(isLeft(await take('c')));
    assert.equal(existsSync(first.path), false);
    await copies.close();
  });

  it('that fail are not taken for whole ones', async () => {
    const { machine, copies, take } = open();
    machine.fails = true;
    const failed = await take('a');
    assert.ok(isLeft(failed) && failed.left.code === 'copy-failed');
    machine.fails = false;
    assert.equal(readFileSync(expectRight(await take('a')).path, 'utf8'), 'aaa');
    const shorter = await copies.take({
      ...{ key: 'b', etag: '"b"', sizeBytes: 4, roomBytes: 0, signal: new AbortController().signal },
    });
    assert.ok(isLeft(shorter) && shorter.left.code === 'copy-failed');
    await copies.close();
  });

  it('are gone when they are closed', async () => {
    const { copies, take } = open();
    expectRight(await take('a'));
    await copies.close();
    assert.deepEqual(
      readdirSync(directory).filter((name) => name.startsWith('copies-')),
      [],
    );
  });
});
