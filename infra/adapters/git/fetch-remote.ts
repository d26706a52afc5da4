/** Copies of repositories of other servers: fetched over https, through a tunnel that leads to their host only. */
import { type Either, isRight, left, right } from 'fp-ts/Either';
import { reject } from '../../../domain/kernel/rejection';
import type { CommitSha } from '../../../domain/workflow/ids';
import type { GitFault, GitLocation, GitRejection, RemoteCommit } from '../../ports/workflow/git-repositories';
import { openGuardedTunnel } from '../remote/guarded-tunnel';
import { gitFailed } from './bare-directory';
import { startGit } from './git-process';
import { resolveCommit } from './read-repository';

export interface RemoteBounds {
  /** The installation's own network may be fetched from. */
  readonly allowPrivate: boolean;
  /** Path of a PEM file with the authorities to trust; left out: those of the machine. */
  readonly authorities?: string;
  /** That a host sends for one fetch. Default: 2 GiB. */
  readonly maxBytes?: number;
  /** Of one fetch. Default: 10 minutes. */
  readonly milliseconds?: number;
  /** A request waits so long for a fetch, which then goes on without it. Default: 20 seconds. */
  readonly waitMilliseconds?: number;
  /** Fetches at once. Default: 4. */
  readonly maxFetches?: number;
}

type Answer = Either<GitFault | GitRejection, void>;

const unavailable = (): Answer => reject('remote-unavailable', 'The remote repository cannot be fetched.');

const branchesAndTags = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];

const hasCommit = async (directory: string, commit: CommitSha): Promise<boolean> =>
  isRight(await resolveCommit(directory, commit));

interface Fetch extends RemoteCommit {
  readonly directory: string;
  readonly bounds: RemoteBounds;
  readonly signal: AbortSignal;
}

const fetchRefs = async ({ directory, url, bounds, signal }: Fetch, refs: readonly string[]): Promise<Answer> => {
  const { allowPrivate, authorities, maxBytes = 2 ** 31, milliseconds = 600_000 } = bounds;
  const tunnel = await openGuardedTunnel({ target: new URL(url), allowPrivate, largestBytes: maxBytes });
  try {
    const config = {
      'http.proxy': tunnel.url,
      'http.followRedirects': 'false',
      'http.lowSpeedLimit': '1000',
      'http.lowSpeedTime': '30',
      ...(authorities === undefined ? {} : { 'http.sslCAInfo': authorities }),
    };
    const options = ['--quiet', '--prune', '--no-tags', '--no-auto-gc', '--no-write-fetch-head'];
    const args = ['fetch', ...options, '--no-recurse-submodules', '--end-of-options', url, ...refs];
    const { child, ended } = startGit({ directory, args, config, transport: 'https', milliseconds, signal });
    child.stdin?.end();
    child.stdout?.resume();
    const code = await ended;
    if (tunnel.isExceeded()) return reject('too-large', 'The remote repository is larger than is fetched.');
    return code === 0 ? right(undefined) : unavailable();
  } finally {
    await tunnel.close();
  }
};

/** A commit that no branch or tag reaches, as that of a pull request from a fork, is requested by its name. */
const fetchCommit = async (fetch: Fetch): Promise<Answer> => {
  const { directory, commit } = fetch;
  if (await hasCommit(directory, commit)) return right(undefined);
  const all = await fetchRefs(fetch, branchesAndTags);
  if (!isRight(all) || (await hasCommit(directory, commit))) return all;
  const named = await fetchRefs(fetch, [`+${commit}:refs/septet/commits/${commit}`]);
  if (await hasCommit(directory, commit)) return right(undefined);
  if (!isRight(named) && named.left.code === 'too-large') return named;
  return reject('commit-unknown', 'The remote repository has no such commit.');
};

export interface RemoteFetches {
  readonly fetch: (location: GitLocation, directory: string, remote: RemoteCommit) => Promise<Answer>;
  /** Ends those under way. */
  readonly close: () => Promise<void>;
}

export const createRemoteFetches = (bounds: RemoteBounds): RemoteFetches => {
  const { waitMilliseconds = 20_000, maxFetches = 4 } = bounds;
  const closing = new AbortController();
  /** The last fetch of each repository: one at a time. */
  const last = new Map<string, Promise<unknown>>();
  let running = 0;
  return {
    fetch: async ({ tenantId, repoId }, directory, remote) => {
      if (closing.signal.aborted || running >= maxFetches)
        return gitFailed('Too many remote repositories are being fetched; try again.');
      const key = `${tenantId}.${repoId}`;
      running += 1;
      const fetching = (last.get(key) ?? Promise.resolve())
        .then(() => fetchCommit({ ...remote, directory, bounds, signal: closing.signal }))
        .catch((error: unknown) => left(error as Error))
        .finally(() => {
          running -= 1;
          if (last.get(key) === fetching) last.delete(key);
        });
      last.set(key, fetching);
      let timer: NodeJS.Timeout | undefined;
      const waited = new Promise<'late'>((resolve) => {
        timer = setTimeout(() => resolve('late'), waitMilliseconds);
      });
      const answer = await Promise.race([fetching, waited]);
      clearTimeout(timer);
      if (answer === 'late') return gitFailed('The remote repository is still being fetched; try again.');
      if (isRight(answer) || !(answer.left instanceof Error)) return answer as Answer;
      throw answer.left;
    },
    close: async () => {
      closing.abort();
      await Promise.all(last.values());
    },
  };
};
