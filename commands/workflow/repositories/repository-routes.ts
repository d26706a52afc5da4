/** Routes of an organization's settings and its repositories. Fields are named as in the specification. */
import { right } from 'fp-ts/Either';
import { integer, nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { RepositoryId } from '../../../domain/workflow/ids';
import { Plan } from '../../../domain/workflow/limits';
import { organization } from '../../../domain/workflow/organization/decider';
import { Isolation, organizationStream } from '../../../domain/workflow/organization/events';
import { repository } from '../../../domain/workflow/repository/decider';
import { BranchName, RepositoryName, repositoryStream } from '../../../domain/workflow/repository/events';
import { commandRoute } from '../../kernel/command-route';
import type { WorkflowAdapters } from '../adapters';
import { organizationProblems, repositoryProblems } from './problems';
import { repositoryIdOf } from './repository-id';

const scopes = ['workflows:admin'];

export const configureOrganization = commandRoute<WorkflowAdapters>()({
  method: 'put',
  path: '/v1/workflow/organization',
  operation: 'configureWorkflowOrganization',
  summary: "Set the plan, limits and isolation policy of the caller's organization",
  description:
    'Fields that are left out get the values of the plan; jobs then run in a sandbox (`bwrap`). Limits may be lower than those of the plan. `minutes_quota` counts minutes of jobs on managed runners per calendar month in UTC.',
  scopes,
  sensitive: true,
  body: record(
    'OrganizationInput',
    { plan: Plan },
    {
      concurrency_limit: nullable(integer(1, 100_000)),
      minutes_quota: nullable(integer(0, 100_000_000)),
      isolation_policy: Isolation,
    },
  ),
  answer: record('OrganizationAnswer', {
    id: TenantId,
    plan: Plan,
    concurrency_limit: nullable(integer(1, 100_000)),
    minutes_quota: nullable(integer(0, 100_000_000)),
    isolation_policy: Isolation,
  }),
  decider: organization,
  problems: organizationProblems,
  prepare: ({ tenantId, body: { plan, concurrency_limit = null, minutes_quota = null, isolation_policy = 'bwrap' } }) =>
    right({
      stream: organizationStream(tenantId),
      command: {
        type: 'ConfigureOrganization' as const,
        plan,
        concurrencyLimit: concurrency_limit,
        minutesQuota: minutes_quota,
        isolationPolicy: isolation_policy,
      },
      answer: { id: tenantId, plan, concurrency_limit, minutes_quota, isolation_policy },
    }),
});

/** Without credentials, query and fragment. */
const RemoteUrl = text('RemoteRepositoryUrl', {
  maxLength: 2_000,
  pattern: 'https://[A-Za-z0-9.-]+(?::\\d{1,5})?/[A-Za-z0-9._~/+-]*',
  examples: ['https://example.org/storefront.git'],
});

export const createRepository = commandRoute<WorkflowAdapters>()({
  method: 'post',
  path: '/v1/workflow/repositories',
  operation: 'createRepository',
  summary: 'Create a Git repository: an empty one, or a copy of a remote one',
  description:
    'Clone and push it by `clone_url`, with an access token as the password. With `remote_url` it is a copy of that repository, which anyone may read: fetched when an event names a commit that it lacks, and not pushed to. Names are unique in an organization, whatever their case; the name of a deleted repository stays taken.',
  scopes,
  sensitive: false,
  created: true,
  body: record('NewRepository', { name: RepositoryName }, { default_branch: BranchName, remote_url: RemoteUrl }),
  answer: record('RepositoryAnswer', {
    id: RepositoryId,
    org_id: TenantId,
    name: RepositoryName,
    default_branch: BranchName,
    clone_url: text('RepositoryCloneUrl', { maxLength: 2_000 }),
  }),
  decider: repository,
  problems: repositoryProblems,
  prepare: ({ tenantId, body: { name, default_branch = 'main', remote_url } }, { publicUrl }) => {
    const repoId = repositoryIdOf(tenantId, name);
    return right({
      stream: repositoryStream(tenantId, repoId),
      command: {
        type: 'CreateRepository' as const,
        repoId,
        name,
        defaultBranch: default_branch,
        host: remote_url === undefined ? ('septet' as const) : ('remote' as const),
        remoteUrl: remote_url ?? null,
      },
      answer: {
        id: repoId,
        org_id: tenantId,
        name,
        default_branch,
        clone_url: `${publicUrl}/git/${tenantId}/${name}.git`,
      },
      location: `/v1/workflow/repositories/${repoId}`,
    });
  },
});

const RepositoryPath = record('RepositoryPath', { repoId: RepositoryId });

export const changeDefaultBranch = commandRoute<WorkflowAdapters>()({
  method: 'put',
  path: '/v1/workflow/repositories/:repoId',
  operation: 'changeDefaultBranch',
  summary: 'Change the default branch of a repository',
  scopes,
  sensitive: false,
  params: RepositoryPath,
  body: record('RepositoryInput', { default_branch: BranchName }),
  answer: record('ChangedRepository', { id: RepositoryId, default_branch: BranchName }),
  decider: repository,
  problems: repositoryProblems,
  prepare: ({ tenantId, params: { repoId }, body: { default_branch } }) =>
    right({
      stream: repositoryStream(tenantId, repoId),
      command: { type: 'ChangeDefaultBranch' as const, repoId, defaultBranch: default_branch },
      answer: { id: repoId, default_branch },
    }),
});

export const deleteRepository = commandRoute<WorkflowAdapters>()({
  method: 'delete',
  path: '/v1/workflow/repositories/:repoId',
  operation: 'deleteRepository',
  summary: 'Delete a repository with its commits',
  description: 'Runs, their logs and artifacts stay readable.',
  scopes,
  danger: true,
  params: RepositoryPath,
  answer: record('DeletedRepository', { id: RepositoryId }),
  decider: repository,
  problems: repositoryProblems,
  prepare: ({ tenantId, params: { repoId } }) =>
    right({
      stream: repositoryStream(tenantId, repoId),
      command: { type: 'DeleteRepository' as const, repoId },
      answer: { id: repoId },
    }),
});
