/**
 * Local copies in a directory of this process, beside the sandboxes that read them. A copy is written once for all jobs that request it meanwhile, stays a
 * while for the next ones, and makes room for others before they are refused.
 */
import { createWriteStream, mkdirSync, readdirSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import { isRunning, markOf } from '../../../packages/data-directory/src/process-identity';
import type { BlobStore } from '../../ports/blob-store';
import type { CopyFault, CopyRequest, LocalCopies, LocalCopy } from '../../ports/files/local-copies';

const prefix = 'copies-';

/** Other programs of the machine need room, too. */
const leftFreeBytes = 1_073_741_824;
const idleMilliseconds = 600_000;

interface Options {
  readonly blobs: Pick<BlobStore, 'get'>;
  /** Of the sandboxes. */
  readonly directory: string;
  /** Of the disk; left out: as the file system answers. */
  readonly freeBytes?: (directory: string) => Promise<number>;
}

interface Copy {
  readonly path: string;
  readonly sizeBytes: number;
  readonly written: Promise<Either<CopyFault, undefined>>;
  readonly abort: AbortController;
  isWritten: boolean;
  users: number;
  idle: NodeJS.Timeout | undefined;
}

const isOfKilledProcess = (name: string): boolean => {
  const [, pid = '', started = ''] = name.split('-');
  return !isRunning({ pid: Number(pid), started });
};

const bytesFree = async (directory: string): Promise<number> => {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize;
};

const noRoom = fault('no-room-on-disk', 'The disk of the worker has no room for the video now.');

export const openLocalCopies = ({ blobs, directory, freeBytes = bytesFree }: Options): LocalCopies => {
  const copies = new Map<string, Copy>();
  let reservedBytes = 0;
  let number = 0;
  const home = join(directory, `${prefix}${process.pid}-${markOf(process.pid)?.started}`);

  const open = (): void => {
    const isNew = mkdirSync(home, { recursive: true, mode: 0o711 }) !== undefined;
    if (!isNew) return;
    for (const name of readdirSync(directory).filter((entry) => entry.startsWith(prefix)))
      if (isOfKilledProcess(name))
        void rm(join(directory, name), { recursive: true, force: true }).catch(() => undefined);
  };

  const drop = async (name: string, copy: Copy): Promise<void> => {
    if (copies.get(name) === copy) copies.delete(name);
    clearTimeout(copy.idle);
    await rm(copy.path, { force: true });
  };
  /** The oldest idle copies go first. */
  const makeRoom = async (needed: number): Promise<boolean> => {
    for (;;) {
      const unwritten = [...copies.values()].filter(({ isWritten }) => !isWritten);
      const promised = unwritten.reduce((sum, { sizeBytes }) => sum + sizeBytes, reservedBytes);
      if ((await freeBytes(directory)) - promised - needed >= leftFreeBytes) return true;
      const idle = [...copies].find(([, { users, isWritten }]) => users === 0 && isWritten);
      if (idle === undefined) return false;
      await drop(...idle);
    }
  };
  const write = async (path: string, { key, etag, sizeBytes }: CopyRequest, signal: AbortSignal) => {
    const stored = await blobs.get({ key, etag, signal });
    if (isLeft(stored)) return left(fault('copy-failed', stored.left.detail));
    if (stored.right.length !== sizeBytes) {
      stored.right.body.destroy();
      return left(fault('copy-failed', 'Object storage has another size of the video.'));
    }
    try {
      await pipeline(stored.right.body, createWriteStream(path, { flags: 'wx', mode: 0o644 }), { signal });
      return right(undefined);
    } catch (error) {
      await rm(path, { force: true });
      const isFull = (error as NodeJS.ErrnoException).code === 'ENOSPC';
      return left(isFull ? noRoom : fault('copy-failed', 'Object storage broke off while the video was read.'));
    }
  };
  const begin = (name: string, request: CopyRequest): Copy => {
    const path = join(home, String(++number));
    const abort = new AbortController();
    const copy: Copy = {
      ...{ path, sizeBytes: request.sizeBytes, abort, isWritten: false, users: 0, idle: undefined },
      written: write(path, request, abort.signal),
    };
    void copy.written.then((written) => {
      if (isLeft(written)) copies.delete(name);
      else copy.isWritten = true;
    });
    copies.set(name, copy);
    return copy;
  };
  const leave = (name: string, copy: Copy): void => {
    copy.users -= 1;
    if (copy.users > 0) return;
    if (!copy.isWritten) copy.abort.abort();
    copy.idle = setTimeout(() => void drop(name, copy).catch(() => undefined), idleMilliseconds).unref();
  };

  return {
    take: async (request): Promise<Either<CopyFault, LocalCopy>> => {
      open();
      const name = `${request.etag} ${request.key}`;
      const known = copies.get(name);
      // Counted before anything is waited for, so that no other call removes it meanwhile.
      if (known !== undefined) known.users += 1;
      const { roomBytes, sizeBytes } = request;
      const hasRoom = await makeRoom(roomBytes + (known === undefined ? sizeBytes : 0));
      const copy = known ?? copies.get(name) ?? (hasRoom ? begin(name, request) : undefined);
      if (copy === undefined) return left(noRoom);
      if (known === undefined) copy.users += 1;
      clearTimeout(copy.idle);
      if (!hasRoom) {
        leave(name, copy);
        return left(noRoom);
      }
      reservedBytes += roomBytes;
      const written = await copy.written;
      let isReleased = false;
      const release = (): void => {
        if (isReleased) return;
        isReleased = true;
        reservedBytes -= roomBytes;
        leave(name, copy);
      };
      if (!isLeft(written) && !request.signal.aborted) return right({ path: copy.path, release });
      release();
      return isLeft(written) ? written : left(fault('copy-failed', 'The job was ended.'));
    },
    close: async () => {
      for (const [name, copy] of [...copies]) {
        copy.abort.abort();
        await copy.written;
        await drop(name, copy);
      }
      await rm(home, { recursive: true, force: true });
    },
  };
};
