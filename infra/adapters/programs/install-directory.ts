/** Installs a program into a directory of its own. Processes that install at once end up with one complete directory. */
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';

export interface Installation<Fault> {
  readonly directory: string;
  readonly isComplete: (directory: string) => boolean;
  /** Fills the given empty directory. Left: why it cannot. */
  readonly install: (directory: string) => Promise<Either<Fault, void>>;
  /** Why what was installed is not complete. */
  readonly incomplete: Fault;
}

const isOccupied = (error: unknown): boolean =>
  ['ENOTEMPTY', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '');

const tryRename = (from: string, to: string): boolean => {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (isOccupied(error)) return false;
    throw error;
  }
};

/** A complete directory is never replaced, because another process may run the program in it. */
const publish = (
  unfinished: string,
  { directory, isComplete }: Pick<Installation<unknown>, 'directory' | 'isComplete'>,
): void => {
  while (!tryRename(unfinished, directory)) {
    if (isComplete(directory)) return;
    rmSync(directory, { recursive: true, force: true });
  }
};

/** Installs unless the directory is complete already. */
export const installDirectory = async <Fault>(installation: Installation<Fault>): Promise<Either<Fault, void>> => {
  const { directory, isComplete, install, incomplete } = installation;
  if (isComplete(directory)) return right(undefined);
  mkdirSync(dirname(directory), { recursive: true, mode: 0o755 });
  const unfinished = mkdtempSync(`${directory}.`);
  try {
    // Open, because servers run as another user.
    chmodSync(unfinished, 0o755);
    const installed = await install(unfinished);
    if (isLeft(installed)) return installed;
    if (!isComplete(unfinished)) return left(incomplete);
    publish(unfinished, installation);
    return right(undefined);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
};
