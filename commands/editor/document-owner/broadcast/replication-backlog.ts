/**
 * Recent operation frames for reconnecting clients. Bounded by count and bytes, but frames after the newest snapshot
 * always stay: snapshot and backlog together are the whole document.
 */

import type { OperationFrame } from '../document-handle';
import { frameSize, sliceFrame } from './operation-frames';

export interface BacklogBounds {
  readonly operations: number;
  readonly bytes: number;
}

export interface ReplicationBacklog {
  readonly add: (frame: OperationFrame) => void;
  /** All frames after a version; undefined if the backlog starts later, or if there is no such version. */
  readonly since: (version: number) => readonly OperationFrame[] | undefined;
  /** Frames up to this version may be dropped: a snapshot covers them. */
  readonly releaseUpTo: (version: number) => void;
  /** Empties the backlog after a restore: no operations lead from earlier versions to the restored scene. */
  readonly restart: (version: number) => void;
  readonly bytes: () => number;
}

interface BacklogState {
  frames: OperationFrame[];
  /** Count of dropped frames still in the array, which is compacted rarely. */
  gone: number;
  /** Exclusive: the version before the first frame. */
  from: number;
  to: number;
  covered: number;
  bytes: number;
}

const dropFirst = (state: BacklogState, first: OperationFrame): void => {
  state.gone += 1;
  state.from = first.toVersion;
  state.bytes -= frameSize(first);
  if (state.gone < 1_024 || state.gone * 2 < state.frames.length) return;
  state.frames = state.frames.slice(state.gone);
  state.gone = 0;
};

const trim = (state: BacklogState, bounds: BacklogBounds): void => {
  for (;;) {
    const first = state.frames[state.gone];
    const isOver = state.to - state.from > bounds.operations || state.bytes > bounds.bytes;
    if (first === undefined || !isOver || first.toVersion > state.covered) return;
    dropFirst(state, first);
  }
};

/** Index of the first frame that ends after a version. */
const indexAfter = ({ frames, gone }: BacklogState, version: number): number => {
  let [low, high] = [gone, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle] as OperationFrame).toVersion <= version) low = middle + 1;
    else high = middle;
  }
  return low;
};

const framesAfter = (state: BacklogState, version: number): readonly OperationFrame[] | undefined => {
  if (version < state.from || version > state.to) return undefined;
  const [first, ...rest] = state.frames.slice(indexAfter(state, version));
  return first === undefined ? [] : [sliceFrame(first, version), ...rest];
};

export const createReplicationBacklog = (version: number, bounds: BacklogBounds): ReplicationBacklog => {
  const state: BacklogState = { frames: [], gone: 0, from: version, to: version, covered: version, bytes: 0 };
  return {
    add: (frame) => {
      state.frames.push(frame);
      state.to = frame.toVersion;
      state.bytes += frameSize(frame);
      trim(state, bounds);
    },
    since: (after) => framesAfter(state, after),
    releaseUpTo: (to) => {
      state.covered = Math.max(state.covered, to);
      trim(state, bounds);
    },
    restart: (at) => Object.assign(state, { frames: [], gone: 0, from: at, to: at, covered: at, bytes: 0 }),
    bytes: () => state.bytes,
  };
};
