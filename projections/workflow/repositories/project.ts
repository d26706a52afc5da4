import { repositories } from '../../../domain/workflow/repository/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import { type RepositoryRow, repositoriesView } from './view';

export const repositoriesProjection = projection(repositoriesView, [
  streamsOf(repositories, {
    RepositoryCreated: ({ data, at, event }) =>
      putRow<RepositoryRow>({ ...data, isDeleted: false, createdAt: event.occurredAt, ...at }),
    DefaultBranchChanged: ({ data: { repoId, defaultBranch }, at: { tenantId, revision } }) =>
      patchRow<RepositoryRow>({ tenantId, repoId }, { defaultBranch, revision }),
    RepositoryDeleted: ({ data: { repoId }, at: { tenantId, revision } }) =>
      patchRow<RepositoryRow>({ tenantId, repoId }, { isDeleted: true, revision }),
  }),
]);
