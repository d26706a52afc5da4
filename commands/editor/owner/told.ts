/** What those who have a document open are told of it. */
import type { Snapshot } from '../../../domain/editor/snapshot/record';

/** Committed operations, one after the other, in the order of versions. */
export interface Frame {
  readonly kind: 'operations';
  readonly fromVersion: number;
  readonly toVersion: number;
  /** The JSON of each, made once for all who are told. */
  readonly operations: readonly string[];
}

/** An earlier version was put back: the scene is that of the snapshot, whose version is the new one. */
export interface Rebased {
  readonly kind: 'rebased';
  readonly snapshot: Snapshot;
}

export type Told = Frame | Rebased;

/** What somebody needs to be at the committed version. */
export interface Resumption {
  /** Begin with this one; left out, with what is there, or with nothing. */
  readonly snapshot?: Snapshot;
  /** What the client had is of no use: it is told so before. */
  readonly rebase: boolean;
  /** After the snapshot, or after what the client has. */
  readonly frames: readonly Frame[];
  readonly committedVersion: number;
}
