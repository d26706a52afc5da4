/** Copies the Git repositories of workflows: each as its refs are at one moment, while it is pushed to. */
import { existsSync, readdirSync } from 'node:fs';
import { constants, copyFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { syncPath } from '../../../../packages/data-directory/src/files';
import { copyRepository } from '../../../adapters/git/copy-repository';
import { OperatorError } from '../../launch/operator-error';
import { filesUnder } from '../checksums';
import { ownDirectory } from './key-files';

const repositoriesIn = (backup: string): string => join(backup, 'repositories');

/** `<tenant>/<repository>.git`. No tenant's name begins with a dot. */
const repositoriesUnder = (directory: string): readonly string[] =>
  (existsSync(directory) ? readdirSync(directory) : [])
    .filter((tenant) => !tenant.startsWith('.'))
    .flatMap((tenant) => readdirSync(join(directory, tenant)).map((name) => join(tenant, name)))
    .filter((path) => path.endsWith('.git'));

/** Returns how many. Repositories that are deleted meanwhile are left out. */
export const copyRepositories = async (directory: string, out: string): Promise<number> => {
  const target = repositoriesIn(out);
  let count = 0;
  for (const path of repositoriesUnder(directory)) {
    ownDirectory(dirname(join(target, path)));
    if (await copyRepository(join(directory, path), join(target, path))) count += 1;
    else if (existsSync(join(directory, path))) throw new OperatorError(`Git could not copy the repository ${path}.`);
  }
  return count;
};

/** Before anything is changed. */
export const requireNoRepositories = (directory: string, backup: string): void => {
  if (repositoriesUnder(repositoriesIn(backup)).length > 0 && repositoriesUnder(directory).length > 0)
    throw new OperatorError(`${directory} is in use: there are repositories in it. Nothing is added to them.`);
};

export const restoreRepositories = async (backup: string, directory: string): Promise<void> => {
  const from = repositoriesIn(backup);
  for (const repository of repositoriesUnder(from)) {
    // Git takes no directory for a repository that lacks these, and backups keep files only.
    for (const name of ['objects', 'refs']) ownDirectory(join(directory, repository, name));
    for await (const path of filesUnder(join(from, repository))) {
      const target = join(directory, relative(from, path));
      ownDirectory(dirname(target));
      await copyFile(path, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      syncPath(target);
    }
  }
};
