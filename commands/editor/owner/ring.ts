/**
 * The newest committed operations as they are told, so that whoever was away for a while needs no more than them. Bounded by count and
 * bytes, except that what came after the newest snapshot stays: together they are all of the document.
 */
import { cut, sizeOf } from './frames';
import type { Frame } from './told';

export interface RingBounds {
  readonly operations: number;
  readonly bytes: number;
}

export interface Ring {
  readonly add: (frame: Frame) => void;
  /** Everything after a version; undefined where its beginning is gone, or where there is no such version. */
  readonly since: (version: number) => readonly Frame[] | undefined;
  /** What is up to here can be had otherwise. */
  readonly coveredTo: (version: number) => void;
  /** The scene jumped: nothing leads there from before. */
  readonly restart: (version: number) => void;
  readonly bytes: () => number;
}

interface Kept {
  frames: Frame[];
  /** Of frames that were dropped and are not yet cut off: an array is not moved for each. */
  gone: number;
  /** Exclusive: the version before the first frame. */
  from: number;
  to: number;
  covered: number;
  bytes: number;
}

const dropFirst = (kept: Kept, first: Frame): void => {
  kept.gone += 1;
  kept.from = first.toVersion;
  kept.bytes -= sizeOf(first);
  if (kept.gone < 1_024 || kept.gone * 2 < kept.frames.length) return;
  kept.frames = kept.frames.slice(kept.gone);
  kept.gone = 0;
};

const trim = (kept: Kept, bounds: RingBounds): void => {
  for (;;) {
    const first = kept.frames[kept.gone];
    const isOver = kept.to - kept.from > bounds.operations || kept.bytes > bounds.bytes;
    if (first === undefined || !isOver || first.toVersion > kept.covered) return;
    dropFirst(kept, first);
  }
};

/** The first frame that ends after a version. */
const indexAfter = ({ frames, gone }: Kept, version: number): number => {
  let [low, high] = [gone, frames.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle] as Frame).toVersion <= version) low = middle + 1;
    else high = middle;
  }
  return low;
};

const sinceIn = (kept: Kept, version: number): readonly Frame[] | undefined => {
  if (version < kept.from || version > kept.to) return undefined;
  const [first, ...rest] = kept.frames.slice(indexAfter(kept, version));
  return first === undefined ? [] : [cut(first, version), ...rest];
};

export const openRing = (version: number, bounds: RingBounds): Ring => {
  const kept: Kept = { frames: [], gone: 0, from: version, to: version, covered: version, bytes: 0 };
  return {
    add: (frame) => {
      kept.frames.push(frame);
      kept.to = frame.toVersion;
      kept.bytes += sizeOf(frame);
      trim(kept, bounds);
    },
    since: (after) => sinceIn(kept, after),
    coveredTo: (to) => {
      kept.covered = Math.max(kept.covered, to);
      trim(kept, bounds);
    },
    restart: (at) => Object.assign(kept, { frames: [], gone: 0, from: at, to: at, covered: at, bytes: 0 }),
    bytes: () => kept.bytes,
  };
};
