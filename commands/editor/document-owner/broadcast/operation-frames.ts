/** Merges and slices frames of committed operations. */
import type { OperationFrame } from '../document-handle';

/** Maximum bytes of a merged frame; it bounds what waits for a slow socket. */
const maxMergedBytes = 262_144;

export const frameSize = ({ operations }: OperationFrame): number =>
  operations.reduce((sum, { length }) => sum + length, 0);

/** The part of a frame after a version. */
export const sliceFrame = (frame: OperationFrame, version: number): OperationFrame =>
  frame.fromVersion > version
    ? frame
    : { ...frame, fromVersion: version + 1, operations: frame.operations.slice(version + 1 - frame.fromVersion) };

const concatenate = (frames: readonly OperationFrame[]): OperationFrame | undefined => {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined || first === last) return first;
  return { ...first, toVersion: last.toVersion, operations: frames.flatMap(({ operations }) => operations) };
};

/** Merges into as few frames as possible; a frame above the bound stays alone. */
export function* mergeFrames(frames: readonly OperationFrame[]): Generator<OperationFrame> {
  let together: OperationFrame[] = [];
  let size = 0;
  for (const frame of frames) {
    const own = frameSize(frame);
    const whole = size + own > maxMergedBytes ? concatenate(together) : undefined;
    if (whole !== undefined) yield whole;
    if (whole !== undefined) [together, size] = [[], 0];
    together.push(frame);
    size += own;
  }
  const rest = concatenate(together);
  if (rest !== undefined) yield rest;
}
