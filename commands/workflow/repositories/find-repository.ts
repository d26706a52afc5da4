/** A repository of a tenant with its Git directory. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault, type Rejection, reject } from '../../../domain/kernel/rejection';
import { type RepositoryDefinition, repository } from '../../../domain/workflow/repository/decider';
import { repositoryStream } from '../../../domain/workflow/repository/events';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type {
  GitFault,
  GitLocation,
  GitRejection,
  GitRepositories,
} from '../../../infra/ports/workflow/git-repositories';
import { loadStream } from '../../kernel/load-stream';
import type { WorkflowAdapters } from '../adapters';

export interface OpenRepository {
  readonly definition: RepositoryDefinition;
  readonly git: GitRepositories;
}

export type FindRepositoryRefusal = Rejection<'not-found'> | EventStoreFault | GitFault | GitRejection;

const gitIsOff = (): Fault<'git-unavailable'> =>
  fault('git-unavailable', 'The workflow service has no git, so repositories are unavailable.');

/** The directory is made by the first request that needs it. Not found: unknown, deleted, or of another tenant. */
export const findRepository = async (
  { store, warm, git }: Pick<WorkflowAdapters, 'store' | 'warm' | 'git'>,
  location: GitLocation,
): Promise<Either<FindRepositoryRefusal, OpenRepository>> => {
  const cached = warm === undefined ? { store } : { store, warm };
  const state = await loadStream(cached, repository, repositoryStream(location.tenantId, location.repoId));
  if (isLeft(state)) return state;
  if (state.right.kind !== 'created') return reject('not-found', 'There is no such repository.');
  if (git === undefined) return left(gitIsOff());
  const { kind: _, ...definition } = state.right;
  const made = await git.create(location, definition.defaultBranch);
  return isLeft(made) ? made : right({ definition, git });
};
