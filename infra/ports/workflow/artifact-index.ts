/** Which artifacts a run may have, how many bytes an organization's take, and when each is looked at next. What they are is in their streams. */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { ArtifactId, RunId } from '../../../domain/workflow/ids';

export type ArtifactIndexFault = Fault<'artifact-index-unavailable'>;
export type ArtifactBoundsRefusal = Rejection<'too-many-artifacts' | 'artifact-quota-exceeded'>;
type Answer<Value> = Promise<Either<ArtifactIndexFault, Value>>;

export interface RunOfArtifacts {
  readonly tenantId: TenantId;
  readonly runId: RunId;
}

export interface ArtifactReservation extends RunOfArtifacts {
  readonly artifactId: ArtifactId;
  readonly sizeBytes: number;
}

export interface IndexedArtifact extends RunOfArtifacts {
  readonly artifactId: ArtifactId;
  readonly addedAt: Instant;
}

export interface ArtifactBounds {
  readonly perRun: number;
  /** Of all artifacts of the organization. */
  readonly bytes: number;
}

export interface ArtifactIndex {
  /** Before the artifact is created, so that none is missing; it is due in a day. Again without effect. */
  readonly add: (
    reservation: ArtifactReservation,
    bounds: ArtifactBounds,
  ) => Promise<Either<ArtifactIndexFault | ArtifactBoundsRefusal, void>>;
  /** The oldest first; 1,000 at most. */
  readonly of: (run: RunOfArtifacts) => Answer<readonly ArtifactId[]>;
  readonly setDue: (artifact: RunOfArtifacts & { readonly artifactId: ArtifactId }, due: Instant) => Answer<void>;
  /** One that is due, for a while without others; undefined when there is none. */
  readonly claimDue: () => Answer<IndexedArtifact | undefined>;
  /** It no longer counts. Again without effect. */
  readonly remove: (artifact: RunOfArtifacts & { readonly artifactId: ArtifactId }) => Answer<void>;
}
