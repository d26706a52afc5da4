/** One push at a time per repository: a queue in this process, and the file of the pending push between processes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, right } from 'fp-ts/Either';
import type { AnnouncePush, GitFault, GitLocation } from '../../ports/workflow/git-repositories';
import { gitFailed } from './bare-directory';
import { isAbandoned, type PendingPush, readPending, removePending } from './pending-pushes';

export interface RepositoryLocks {
  /** Waits for pushes before. Right: the function that lets the next one in. */
  readonly enter: (
    location: GitLocation,
    waiting: { readonly announce: AnnouncePush; readonly signal: AbortSignal },
  ) => Promise<Either<GitFault, () => void>>;
}

export interface LockOptions {
  readonly root: string;
  /** Announces what an abandoned push changed. False: not now. */
  readonly settle: (location: GitLocation, push: PendingPush, announce: AnnouncePush) => Promise<boolean>;
}

const maxWaiting = 50;
const retryMilliseconds = 200;
const maxWaitMilliseconds = 60_000;

interface Queue {
  tail: Promise<void>;
  length: number;
}

/** Waits until the push of another process is over or abandoned, and settles an abandoned one. */
const waitForOthers = async (
  { root, settle }: LockOptions,
  location: GitLocation,
  { announce, signal }: { readonly announce: AnnouncePush; readonly signal: AbortSignal },
): Promise<boolean> => {
  const until = performance.now() + maxWaitMilliseconds;
  while (!signal.aborted && performance.now() < until) {
    const pending = await readPending(root, location);
    if (pending === undefined) return true;
    if (await isAbandoned(root, location, pending)) {
      if (pending !== 'broken') return settle(location, pending, announce);
      await removePending(root, location);
      return true;
    }
    await sleep(retryMilliseconds);
  }
  return false;
};

export const createRepositoryLocks = (options: LockOptions): RepositoryLocks => {
  const queues = new Map<string, Queue>();
  return {
    enter: async (location, waiting) => {
      const key = `${location.tenantId}.${location.repoId}`;
      const queue = queues.get(key) ?? { tail: Promise.resolve(), length: 0 };
      if (queue.length >= maxWaiting) return gitFailed('Too many pushes to the repository wait; try again.');
      queues.set(key, queue);
      queue.length += 1;
      const before = queue.tail;
      let release = (): void => undefined;
      queue.tail = new Promise<void>((resolve) => {
        release = resolve;
      });
      let isOver = false;
      const leave = (): void => {
        if (isOver) return;
        isOver = true;
        queue.length -= 1;
        if (queue.length === 0) queues.delete(key);
        release();
      };
      try {
        await before;
        if (await waitForOthers(options, location, waiting)) return right(leave);
      } catch (error) {
        leave();
        throw error;
      }
      leave();
      return gitFailed('An earlier push to the repository is not recorded yet; try again.');
    },
  };
};
