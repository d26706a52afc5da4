/** A repository: hosted here as a bare Git directory, or read over https from another server. */
import { nullable, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { RepositoryId } from '../ids';

/** Git's rules for a branch (git-check-ref-format), narrowed. */
export const BranchName = text('BranchName', {
  maxLength: 200,
  pattern:
    '(?!.*(?:\\.\\.|//|@\\{|\\.lock(?:/|$)))[^\\x00-\\x20\\x7f~^:?*\\[\\\\/.-][^\\x00-\\x20\\x7f~^:?*\\[\\\\]*(?<![/.])',
  examples: ['main'],
});

export const RepositoryName = text('RepositoryName', {
  maxLength: 100,
  pattern: '[A-Za-z0-9_][A-Za-z0-9_.-]*(?<!\\.git)(?<!\\.)',
  examples: ['storefront'],
});

export const RepositoryHost = oneOf('RepositoryHost', ['septet', 'remote']);

export const repositories = aggregate(
  { context: 'workflow', name: 'repository', id: RepositoryId },
  {
    RepositoryCreated: {
      v: 1,
      data: {
        repoId: RepositoryId,
        name: RepositoryName,
        defaultBranch: BranchName,
        host: RepositoryHost,
        /** Of a remote one: where commits are fetched from. */
        remoteUrl: nullable(text('RemoteUrl', { maxLength: 2_000, pattern: 'https://.+' })),
      },
    },
    DefaultBranchChanged: { v: 1, data: { repoId: RepositoryId, defaultBranch: BranchName } },
    /** Its commits are removed soon after; runs and logs stay readable. */
    RepositoryDeleted: { v: 1, data: { repoId: RepositoryId } },
  },
);
export type RepositoryEvent = typeof repositories.Event;

export const { stream: repositoryStream } = repositories;
