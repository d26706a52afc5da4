/** Where the bare directory of a repository is, and how it comes and goes. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { GitFault, GitLocation } from '../../ports/workflow/git-repositories';
import { runGit } from './git-process';

/** Ids have neither dots nor slashes, so no path leaves the directory. */
export const directoryOf = (root: string, { tenantId, repoId }: GitLocation): string =>
  join(root, tenantId, `${repoId}.git`);

/** Files that are not whole yet, and directories that are to go. No tenant's name begins with a dot. */
export const temporaryIn = (root: string): string => join(root, '.temporary');

export const gitFailed = (detail: string, cause?: string): Either<GitFault, never> =>
  left(fault('git-unavailable', detail, cause));

/** Appears as a whole, so a process that dies leaves no half of a repository. */
export const createDirectory = async (
  root: string,
  location: GitLocation,
  defaultBranch: string,
): Promise<Either<GitFault, void>> => {
  const directory = directoryOf(root, location);
  if (existsSync(directory)) return right(undefined);
  const fresh = join(temporaryIn(root), randomUUID());
  const made = await runGit(undefined, [
    'init',
    '--quiet',
    '--bare',
    '--template=',
    `--initial-branch=${defaultBranch}`,
    fresh,
  ]);
  if (made.code !== 0) return gitFailed('Git could not create the repository.');
  await mkdir(dirname(directory), { recursive: true });
  try {
    await rename(fresh, directory);
  } catch (error) {
    await rm(fresh, { recursive: true, force: true });
    // Another request was faster.
    if (!existsSync(directory)) throw error;
  }
  return right(undefined);
};

export const removeDirectory = async (root: string, location: GitLocation): Promise<void> => {
  const gone = join(temporaryIn(root), randomUUID());
  try {
    await rename(directoryOf(root, location), gone);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return;
  }
  await rm(gone, { recursive: true, force: true });
};
