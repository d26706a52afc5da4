/** A large program is fetched by one process of the machine, for which others wait. */
import { mkdirSync } from 'node:fs';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { lockDirectory } from '../../../packages/data-directory/src/index';
import { pause } from '../../server/runtime/backoff';
import { cancelled, type InstallOptions, type ProgramFault } from './program-fault';

export interface LargeProgram<Files> {
  /** Name of the lock in the directory of programs. */
  readonly lock: string;
  /** As the object of a sentence: `the embedding model`. */
  readonly what: string;
  /** Called with the lock held; answers at once where all is there. */
  readonly fetch: (options: InstallOptions) => Promise<Either<ProgramFault, Files>>;
}

const pauseMilliseconds = 200;

export const fetchInOneProcess = async <Files>(
  { lock: name, what, fetch }: LargeProgram<Files>,
  options: InstallOptions,
): Promise<Either<ProgramFault, Files>> => {
  const { tools, progress, signal = new AbortController().signal } = options;
  // Open, because servers, whose programs lie there too, run as another user.
  mkdirSync(tools, { recursive: true, mode: 0o755 });
  for (let isAnnounced = false; ; ) {
    if (signal.aborted) return left(cancelled);
    const lock = lockDirectory(tools, name);
    if (!isLeft(lock)) {
      try {
        return await fetch(options);
      } finally {
        lock.right.release();
      }
    }
    if (!isAnnounced) progress('waiting', { because: `another process fetches ${what}` });
    isAnnounced = true;
    await pause(pauseMilliseconds, signal);
  }
};
