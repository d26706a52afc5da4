/** Repositories as Git holds them: bare directories of this service, or mirrors of remote ones. */
import type { Readable } from 'node:stream';
import type { Either } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { CommitSha, RepositoryId } from '../../../domain/workflow/ids';

export type GitFault = Fault<'git-unavailable'>;
export type GitRejection = Rejection<'commit-unknown' | 'ref-unknown' | 'repository-missing' | 'too-large'>;
type Answer<Value> = Promise<Either<GitFault | GitRejection, Value>>;

export interface GitLocation {
  readonly tenantId: TenantId;
  readonly repoId: RepositoryId;
}

export interface RefUpdate {
  readonly ref: string;
  /** Null: the ref is new. */
  readonly before: CommitSha | null;
  /** Null: the ref was deleted. */
  readonly after: CommitSha | null;
}

export interface CommitFile {
  readonly path: string;
  readonly content: Uint8Array;
}

export interface GitRepositories {
  /** Makes the bare directory; again without effect. */
  readonly create: (location: GitLocation, defaultBranch: string) => Answer<void>;
  readonly remove: (location: GitLocation) => Answer<void>;
  /** The commit that a branch, tag or full name points at. */
  readonly resolve: (location: GitLocation, revision: string) => Answer<CommitSha>;
  /** Workflow files at a commit, each at most `maxBytes`. */
  readonly workflowFiles: (location: GitLocation, commit: CommitSha) => Answer<readonly CommitFile[]>;
  /** Paths that differ between two commits; undefined when there are more than 3,000 or no common base. */
  readonly changedPaths: (
    location: GitLocation,
    from: CommitSha | null,
    to: CommitSha,
  ) => Answer<readonly string[] | undefined>;
  /** One exchange of the smart protocol (git-http-backend's `--stateless-rpc`). `updates` resolves when a push is on disk. */
  readonly exchange: (
    location: GitLocation,
    request: {
      readonly service: 'git-upload-pack' | 'git-receive-pack';
      readonly advertise: boolean;
      readonly input: Readable;
      readonly protocol: string | undefined;
      readonly signal: AbortSignal;
    },
  ) => Answer<{ readonly output: Readable; readonly updates: Promise<readonly RefUpdate[]> }>;
}
