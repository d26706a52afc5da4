/** Repositories as Git holds them: bare directories of this service. */
import type { Readable } from 'node:stream';
import type { Either } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { CommitSha, RepositoryId } from '../../../domain/workflow/ids';

export type GitFault = Fault<'git-unavailable'>;
export type GitRejection = Rejection<
  'commit-unknown' | 'ref-unknown' | 'repository-missing' | 'too-large' | 'remote-unavailable'
>;
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

/** What one push changed. It is on disk. */
export interface Push {
  readonly location: GitLocation;
  /** A UUID, the same whenever this push is announced. */
  readonly pushId: string;
  readonly actorId: PrincipalId;
  /** Empty: the push was refused, or changed nothing. */
  readonly updates: readonly RefUpdate[];
}

/** Records a push. False: it cannot now, and is called again with the same push later. */
export type AnnouncePush = (push: Push) => Promise<boolean>;

export interface CommitFile {
  readonly path: string;
  readonly content: Uint8Array;
}

/** Who, and when (RFC 3339). */
export interface CommitSignature {
  readonly name: string;
  readonly email: string;
  readonly date: string;
}

export interface Commit {
  readonly sha: CommitSha;
  readonly tree: string;
  /** At most 8,192 characters of it. */
  readonly message: string;
  readonly author: CommitSignature;
  readonly committer: CommitSignature;
}

export interface CommitRange {
  /** Null, or unknown to the repository: `to` alone. */
  readonly from: CommitSha | null;
  readonly to: CommitSha;
  readonly most: number;
}

/** A commit of a repository of another server. */
export interface RemoteCommit {
  /** https, without credentials. */
  readonly url: string;
  readonly commit: CommitSha;
}

interface ExchangeRequest {
  readonly advertise: boolean;
  /** Without a content coding. Read as a whole before Git starts, so that a slow client holds nothing. */
  readonly input: Readable;
  /** The header `Git-Protocol`. */
  readonly protocol: string | undefined;
  readonly signal: AbortSignal;
}

/** A push is announced after its answer, while no other push of the repository runs. */
export type GitExchange = ExchangeRequest &
  (
    | { readonly service: 'git-upload-pack' }
    | { readonly service: 'git-receive-pack'; readonly actorId: PrincipalId; readonly announce: AnnouncePush }
  );

export interface GitRepositories {
  /** Makes the bare directory; again without effect. */
  readonly create: (location: GitLocation, defaultBranch: string) => Answer<void>;
  readonly remove: (location: GitLocation) => Answer<void>;
  /** Fetches branches and tags of the remote repository, unless the commit is there already; then the commit by its name. */
  readonly fetch: (location: GitLocation, remote: RemoteCommit) => Answer<void>;
  /** The commit that a branch, tag, full name or object name points at. */
  readonly resolve: (location: GitLocation, revision: string) => Answer<CommitSha>;
  /** Names of at most so many branches, the latest commits first. */
  readonly branches: (location: GitLocation, most: number) => Answer<readonly string[]>;
  /** Workflow files at a commit, by path. A file that is too large is cut one byte behind the limit, so that its reader sees it. */
  readonly workflowFiles: (location: GitLocation, commit: CommitSha) => Answer<readonly CommitFile[]>;
  /** Commits up to this one that changed the path: at least 1. */
  readonly changesOf: (location: GitLocation, commit: CommitSha, path: string) => Answer<number>;
  /** Paths that `to` changed since its common base with `from`; undefined when there are more than 3,000, or no base. */
  readonly changedPaths: (
    location: GitLocation,
    from: CommitSha | null,
    to: CommitSha,
  ) => Answer<readonly string[] | undefined>;
  /** The last commits that `to` has and `from` has not, oldest first. */
  readonly commits: (location: GitLocation, range: CommitRange) => Answer<readonly Commit[]>;
  /** One exchange of the smart protocol (git-http-backend's `--stateless-rpc`). */
  readonly exchange: (location: GitLocation, request: GitExchange) => Answer<Readable>;
  /** Announces pushes that were on disk when their process died or could not record them. Those of other live processes stay. */
  readonly announcePending: (announce: AnnouncePush) => Promise<void>;
  readonly close: () => Promise<void>;
}
