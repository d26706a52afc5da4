/** Committed operations as they are told, one after the other: a part of them, or several in one. */
import type { Frame } from './told';

/** Of several in one, at most: what waits for somebody slow is no more than that. */
const mostTogether = 262_144;

export const sizeOf = ({ operations }: Frame): number => operations.reduce((sum, { length }) => sum + length, 0);

/** What comes after a version. */
export const cut = (frame: Frame, version: number): Frame =>
  frame.fromVersion > version
    ? frame
    : { ...frame, fromVersion: version + 1, operations: frame.operations.slice(version + 1 - frame.fromVersion) };

const asOne = (frames: readonly Frame[]): Frame | undefined => {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined || first === last) return first;
  return { ...first, toVersion: last.toVersion, operations: frames.flatMap(({ operations }) => operations) };
};

/** As few as can be; a large one stays by itself. */
export function* joined(frames: readonly Frame[]): Generator<Frame> {
  let together: Frame[] = [];
  let size = 0;
  for (const frame of frames) {
    const own = sizeOf(frame);
    const whole = size + own > mostTogether ? asOne(together) : undefined;
    if (whole !== undefined) yield whole;
    if (whole !== undefined) [together, size] = [[], 0];
    together.push(frame);
    size += own;
  }
  const rest = asOne(together);
  if (rest !== undefined) yield rest;
}
