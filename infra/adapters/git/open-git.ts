/**
 * Git repositories as bare directories, `<directory>/<tenant>/<repository>.git`, by the `git` program of the machine. Several processes may use the
 * same directory.
 */
import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { reject } from '../../../domain/kernel/rejection';
import type { Log } from '../../ports/runtime/log';
import type { GitFault, GitLocation, GitRejection, GitRepositories } from '../../ports/workflow/git-repositories';
import { createDirectory, directoryOf, gitFailed, removeDirectory, temporaryIn } from './bare-directory';
import { createRemoteFetches, type RemoteBounds } from './fetch-remote';
import { runGit, startGit } from './git-process';
import { isAbandoned, listPending, pendingIn, readPending, removePending } from './pending-pushes';
import {
  countChanges,
  type FileBounds,
  listBranches,
  listChangedPaths,
  listCommits,
  readWorkflowFiles,
  resolveCommit,
} from './read-repository';
import { createRepositoryLocks } from './repository-locks';
import { announceChanges, busy, exchangeWith } from './smart-http';

export interface GitOptions {
  readonly directory: string;
  readonly log: Log;
  /** Of the workflow files of a commit. */
  readonly files: FileBounds;
  /** Of a push. Default: 2 GiB. */
  readonly maxPushBytes?: number;
  /** Clients of Git at once; others are refused for now. Default: 32. */
  readonly maxExchanges?: number;
  /** Of fetches from other servers. Left out: from public addresses. */
  readonly remote?: RemoteBounds;
}

const oldest = [2, 31] as const;
const exchangeMilliseconds = 30 * 60_000;
const leftOverMilliseconds = 2 * 3_600_000;

const versionOf = async (): Promise<Either<string, string>> => {
  const { code, output } = await runGit(undefined, ['--version']);
  const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(output.toString('latin1')) ?? [];
  if (code !== 0) return left('There is no git on the PATH, so repositories and checkouts are off.');
  const isOld = Number(major) < oldest[0] || (Number(major) === oldest[0] && Number(minor) < oldest[1]);
  return isOld
    ? left(`git ${major}.${minor} is too old (${oldest.join('.')} is needed), so repositories and checkouts are off.`)
    : right(`${major}.${minor}`);
};

/** Bodies and half-made directories of processes that died. */
const removeLeftOvers = async (root: string): Promise<void> => {
  for (const name of await readdir(temporaryIn(root))) {
    const path = join(temporaryIn(root), name);
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > leftOverMilliseconds) await rm(path, { recursive: true, force: true });
  }
};

/** Packs what pushes have left, when Git finds it worth it. */
const collectGarbage = async (directory: string): Promise<void> => {
  const { child, ended } = startGit({
    directory,
    args: ['gc', '--auto', '--quiet'],
    milliseconds: exchangeMilliseconds,
  });
  child.stdin?.end();
  child.stdout?.resume();
  await ended;
};

type Answer<Value> = Promise<Either<GitFault | GitRejection, Value>>;

/** Left: why repositories are off, a sentence for the log. */
export const openGit = async (options: GitOptions): Promise<Either<string, GitRepositories>> => {
  const version = await versionOf();
  if (isLeft(version)) return version;
  const { log, files, maxPushBytes = 2 ** 31, maxExchanges = 32 } = options;
  const root = resolve(options.directory);
  for (const path of [temporaryIn(root), pendingIn(root)]) await mkdir(path, { recursive: true, mode: 0o700 });
  await removeLeftOvers(root);
  const locks = createRepositoryLocks({
    root,
    settle: (location, push, announce) => announceChanges({ root, log }, location, { push, announce }),
  });
  const background = new Set<Promise<void>>();
  const inBackground = (work: Promise<void>): void => {
    const ending = work.finally(() => background.delete(ending));
    background.add(ending);
  };
  const context = { root, log, locks, milliseconds: exchangeMilliseconds, maxPushBytes, inBackground };
  const remoteFetches = createRemoteFetches(options.remote ?? { allowPrivate: false });
  let exchanges = 0;

  const inRepository = async <Value>(
    location: GitLocation,
    use: (directory: string) => Answer<Value>,
  ): Answer<Value> => {
    const directory = directoryOf(root, location);
    if (!existsSync(directory)) return reject('repository-missing', 'The repository has no directory.');
    try {
      const answer = await use(directory);
      if (isLeft(answer) && answer.left.kind === 'fault') log.warn({ fault: answer.left, ...location }, 'git failed');
      return answer;
    } catch (error) {
      log.error({ error, ...location }, 'git could not be run');
      return gitFailed('Git could not be run.');
    }
  };

  return right({
    create: (location, defaultBranch) => createDirectory(root, location, defaultBranch),
    remove: async (location) => right(await removeDirectory(root, location)),
    fetch: (location, remote) =>
      inRepository(location, (directory) => remoteFetches.fetch(location, directory, remote)),
    resolve: (location, revision) => inRepository(location, (directory) => resolveCommit(directory, revision)),
    branches: (location, most) => inRepository(location, (directory) => listBranches(directory, most)),
    workflowFiles: (location, commit) =>
      inRepository(location, (directory) => readWorkflowFiles(directory, commit, files)),
    changesOf: (location, commit, path) => inRepository(location, (directory) => countChanges(directory, commit, path)),
    changedPaths: (location, from, to) =>
      inRepository<readonly string[] | undefined>(location, async (directory) =>
        from === null ? right(undefined) : listChangedPaths(directory, from, to),
      ),
    commits: (location, range) => inRepository(location, (directory) => listCommits(directory, range)),
    exchange: async (location, request) => {
      const directory = directoryOf(root, location);
      if (!existsSync(directory)) return reject('repository-missing', 'The repository has no directory.');
      if (exchanges >= maxExchanges) return busy();
      exchanges += 1;
      const leave = (): void => {
        exchanges -= 1;
        if (request.service === 'git-receive-pack' && !request.advertise) inBackground(collectGarbage(directory));
      };
      try {
        const output = await exchangeWith(context, location, request);
        if (isLeft(output)) leave();
        else output.right.once('close', leave);
        return output;
      } catch (error) {
        leave();
        throw error;
      }
    },
    announcePending: async (announce) => {
      const signal = AbortSignal.timeout(exchangeMilliseconds);
      for (const location of await listPending(root)) {
        const pending = await readPending(root, location);
        if (pending === undefined || !(await isAbandoned(root, location, pending))) continue;
        if (!existsSync(directoryOf(root, location))) {
          await removePending(root, location);
          continue;
        }
        // Entering settles pending pushes.
        const entered = await locks.enter(location, { announce, signal });
        if (!isLeft(entered)) entered.right();
      }
    },
    close: async () => void (await Promise.all([...background, remoteFetches.close()])),
  });
};
