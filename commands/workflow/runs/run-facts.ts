/** What expressions see of a run that its own events do not hold: its repository, and the commits of a push. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import { repositories, repositoryStream } from '../../../domain/workflow/repository/events';
import type { Run } from '../../../domain/workflow/run/state';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Commit, GitRepositories } from '../../../infra/ports/workflow/git-repositories';

export interface RunFacts {
  /** `<organization>/<name>`; of a repository whose events are unreadable, its id. */
  readonly repository: string;
  readonly defaultBranch: string;
  /** Of a push, oldest first, its head last; empty where Git does not have them any more. */
  readonly commits: readonly Commit[];
  readonly publicUrl: string;
}

export interface RunFactsDeps {
  readonly store: Pick<EventStore, 'read'>;
  /** Undefined where the machine has no `git`. */
  readonly git: Pick<GitRepositories, 'commits'> | undefined;
  /** Where clients and runners reach the system. */
  readonly publicUrl: string;
}

type Answer<Value> = Promise<Either<Fault, Value>>;

/** As many as GitHub names in a payload that it sends on. */
const mostCommits = 20;
/** Of active runs, most are looked at again within minutes. */
const mostRuns = 5_000;

const readRepository = async (
  { store }: RunFactsDeps,
  tenantId: TenantId,
  { request: { repoId } }: Run,
): Answer<Pick<RunFacts, 'repository' | 'defaultBranch'>> => {
  const events = await store.read(repositoryStream(tenantId, repoId));
  if (isLeft(events)) return events;
  let [name, defaultBranch]: [string, string] = [repoId, ''];
  for (const { type, data } of events.right) {
    const event = repositories.decode(type, data);
    if (isLeft(event) || event.right.type === 'RepositoryDeleted') continue;
    if (event.right.type === 'RepositoryCreated') name = event.right.data.name;
    defaultBranch = event.right.data.defaultBranch;
  }
  return right({ repository: `${tenantId}/${name}`, defaultBranch });
};

const readCommits = async ({ git }: RunFactsDeps, tenantId: TenantId, { request }: Run): Answer<readonly Commit[]> => {
  const { eventType, repoId, beforeSha, commitSha } = request;
  if (git === undefined || eventType !== 'push') return right([]);
  const commits = await git.commits({ tenantId, repoId }, { from: beforeSha, to: commitSha, most: mostCommits });
  if (!isLeft(commits)) return commits;
  return commits.left.kind === 'fault' ? (commits as Either<Fault, never>) : right([]);
};

export type ReadRunFacts = (tenantId: TenantId, run: Run) => Answer<RunFacts>;

/** Reads them once for a run: the commits of a push do not change, and what becomes of its repository is for later runs. */
export const createRunFacts = (deps: RunFactsDeps): ReadRunFacts => {
  const known = new Map<string, RunFacts>();
  return async (tenantId, run) => {
    const key = `${tenantId} ${run.request.runId}`;
    const found = known.get(key);
    if (found !== undefined) return right(found);
    const [repository, commits] = await Promise.all([
      readRepository(deps, tenantId, run),
      readCommits(deps, tenantId, run),
    ]);
    if (isLeft(repository)) return repository;
    if (isLeft(commits)) return commits;
    const facts = { ...repository.right, commits: commits.right, publicUrl: deps.publicUrl };
    if (known.size >= mostRuns) known.clear();
    known.set(key, facts);
    return right(facts);
  };
};
