/** The commit of an event, fetched first where the repository is a copy that lacks it. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { CommitSha } from '../../../domain/workflow/ids';
import type { GitFault, GitLocation, GitRejection } from '../../../infra/ports/workflow/git-repositories';
import type { OpenRepository } from './find-repository';

export const findCommit = async (
  { git, definition: { remoteUrl } }: OpenRepository,
  location: GitLocation,
  commit: CommitSha,
): Promise<Either<GitFault | GitRejection, CommitSha>> => {
  const found = await git.resolve(location, commit);
  if (!isLeft(found) || found.left.code !== 'commit-unknown' || remoteUrl === null) return found;
  const fetched = await git.fetch(location, { url: remoteUrl, commit });
  return isLeft(fetched) ? fetched : git.resolve(location, commit);
};
