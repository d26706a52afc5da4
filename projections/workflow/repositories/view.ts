/** Repositories. Deleted ones stay, because their runs stay readable. */
import * as t from 'io-ts';
import { Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { RepositoryId } from '../../../domain/workflow/ids';
import { BranchName, RepositoryHost, RepositoryName } from '../../../domain/workflow/repository/events';
import { type TableView, table } from '../../kernel/view';

export const RepositoryRow = record('RepositoryRow', {
  tenantId: TenantId,
  repoId: RepositoryId,
  name: RepositoryName,
  defaultBranch: BranchName,
  host: RepositoryHost,
  remoteUrl: nullable(text('RepositoryRemoteUrl', { maxLength: 2_000 })),
  isDeleted: t.boolean,
  createdAt: Instant,
  revision: integer(0),
});
export type RepositoryRow = t.TypeOf<typeof RepositoryRow>;

export const repositoriesView: TableView<RepositoryRow> = table({
  name: 'workflow_repositories',
  version: 1,
  row: RepositoryRow,
  key: ['tenantId', 'repoId'],
  indexes: [['tenantId', 'isDeleted', 'name', 'repoId']],
});
