/** The files of this checkout, without what is ignored. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { requirePrerequisites } from '../runner/prerequisites';

const root = join(__dirname, '..', '..', '..');

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 })
    .split('\n')
    .filter((line) => line !== '');

/** Paths from the root. */
export const projectFiles = async (): Promise<readonly string[]> => {
  await requirePrerequisites('git');
  const listed = git('ls-files', '--cached', '--others', '--exclude-standard');
  return listed.filter((path) => existsSync(join(root, path)));
};

/** What an extended regular expression matches in those folders. */
export const matchesIn = async (pattern: string, folders: readonly string[]): Promise<readonly string[]> => {
  await requirePrerequisites('git');
  return git('grep', '-hoE', '--untracked', pattern, '--', ...folders);
};
