/** Which artifacts a run may have. What they are, and whether they are committed, is in their streams. */
import type { Either } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { ArtifactId, RunId } from '../../../domain/workflow/ids';

export type ArtifactIndexFault = Fault<'artifact-index-unavailable'>;

export interface RunOfArtifacts {
  readonly tenantId: TenantId;
  readonly runId: RunId;
}

export interface ArtifactIndex {
  /** Before the artifact is created, so that none is missing. Again without effect. */
  readonly add: (run: RunOfArtifacts, artifactId: ArtifactId) => Promise<Either<ArtifactIndexFault, void>>;
  /** The oldest first; 1,000 at most. */
  readonly of: (run: RunOfArtifacts) => Promise<Either<ArtifactIndexFault, readonly ArtifactId[]>>;
}
