/** Status of views for operators: position, lag and rebuilds. */
import type { Either } from 'fp-ts/Either';
import type { View, ViewDigest, ViewFault } from './view-store';

export interface ViewState {
  readonly view: string;
  readonly version: number;
  readonly store: View['store'];
  readonly phase: string;
  /** Decimal; null before the first event. */
  readonly position: string | null;
  readonly lagSeconds: number;
  readonly lagEvents: number | null;
  readonly skippedEvents: number;
  /** Why it does not go on, or what it waits for. */
  readonly detail?: string;
}

export interface RebuildState {
  readonly id: string;
  readonly view: string;
  readonly version: number;
  /** `operator:<name>`, or `system:<part>`. */
  readonly by: string;
  readonly outcome: 'running' | 'switched' | 'failed';
  /** Of the copy that is built; undefined before it is begun. */
  readonly generation?: number;
  /** Decimal: how far it is. */
  readonly position?: string;
  /** Decimal position of the earlier rebuild whose generation this one continues. */
  readonly resumedFrom?: string;
  /** Of this rebuild, without events that an earlier one had written. */
  readonly events: number;
  readonly perSecond: number;
  readonly secondsLeft?: number;
  /** Digests of the live and the rebuilt rows; undefined if not compared. */
  readonly before?: ViewDigest;
  readonly after?: ViewDigest;
  /** Why it failed: a code. */
  readonly reason?: string;
}

/** A killed rebuild gets the outcome `cut-off` once the next one of its view begins. */
export interface RebuildRecord extends Omit<RebuildState, 'outcome'> {
  readonly outcome: RebuildState['outcome'] | 'cut-off';
  readonly began: string;
  readonly ended?: string;
}

export interface ViewStatusRecord extends ViewState {
  /** The copy that serves; undefined before there is one, and where the store keeps count of them itself. */
  readonly generation?: number;
  /** Last report of a projector. */
  readonly seen: string;
  readonly rebuild?: RebuildRecord;
}

export interface ViewStatusStore {
  readonly saveViews: (views: readonly ViewState[]) => Promise<Either<ViewFault, void>>;
  readonly saveRebuild: (rebuild: RebuildState) => Promise<Either<ViewFault, void>>;
  readonly close: () => Promise<void>;
}

export interface ViewStatusReader {
  /** Every view that a projector has spoken of, with its last rebuild. */
  readonly views: () => Promise<Either<ViewFault, readonly ViewStatusRecord[]>>;
  readonly close: () => Promise<void>;
}
