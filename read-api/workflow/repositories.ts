/** GET /v1/workflow/repositories and /v1/workflow/repositories/{repoId}: the repositories of the organization. */
import { record, text } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { RepositoryRow, repositoriesView } from '../../projections/workflow/repositories/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';

const { repoId, name, defaultBranch, host, remoteUrl, createdAt } = answerFields(RepositoryRow);

const Repository = record('WorkflowRepository', {
  id: repoId,
  org_id: TenantId,
  name,
  default_branch: defaultBranch,
  host,
  remote_url: remoteUrl,
  /** Below the address of this API; for `git clone`, with an access token as the password. */
  clone_path: text('ClonePath', { maxLength: 300, examples: ['/git/acme/storefront.git'] }),
  created_at: createdAt,
});

const show = (row: RepositoryRow) => ({
  id: row.repoId,
  org_id: row.tenantId,
  name: row.name,
  default_branch: row.defaultBranch,
  host: row.host,
  remote_url: row.remoteUrl,
  clone_path: `/git/${row.tenantId}/${row.name}.git`,
  created_at: row.createdAt,
});

export const listRepositories = pageRoute({
  path: '/v1/workflow/repositories',
  operation: 'listRepositories',
  summary: 'List repositories by name',
  scopes: ['workflows:read'],
  params: record('NoParams', {}),
  item: Repository,
  view: repositoriesView,
  filters: { repositoryIds: IdList },
  order: [
    { field: 'name', direction: 'asc' },
    { field: 'repoId', direction: 'asc' },
  ],
  rows: (_params, { repositoryIds }) => ({
    where: { isDeleted: false, ...definedFields({ repoId: idsIn(repositoryIds) }) },
  }),
  show,
});

export const getRepository = oneRoute({
  path: '/v1/workflow/repositories/:repoId',
  operation: 'getRepository',
  summary: 'Get a repository',
  scopes: ['workflows:read'],
  params: record('RepositoryKey', { repoId }),
  item: Repository,
  gone: ({ isDeleted }: RepositoryRow) => (isDeleted ? 'The repository was deleted.' : undefined),
  query: (key) => ({ view: repositoriesView, key, missing: 'There is no such repository.', show }),
});
