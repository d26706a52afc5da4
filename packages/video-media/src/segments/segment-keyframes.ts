/** Segments of 6 to 10 seconds between keyframes that a source already has. */
import { type Either, left, right } from 'fp-ts/Either';

/** Specification C, section 8. */
const segmentSeconds = { least: 6, most: 10 } as const;

interface KeyframeTimes {
  /** In order of presentation. */
  readonly keyframes: readonly number[];
  readonly startTicks: number;
  readonly endTicks: number;
  readonly timescale: number;
}

/**
 * The presentation times at which segments begin. Each is 6 to 10 s long; the last may be shorter.
 * Left: the keyframes are too far from each other, or the film does not begin with one.
 */
export const segmentKeyframes = ({
  keyframes,
  startTicks,
  endTicks,
  timescale,
}: KeyframeTimes): Either<string, readonly number[]> => {
  if (keyframes[0] !== startTicks) return left('It does not begin with a keyframe.');
  const [least, most] = [segmentSeconds.least * timescale, segmentSeconds.most * timescale];
  const starts = [startTicks];
  let start = startTicks;
  for (const keyframe of keyframes) {
    const isLastShort = endTicks - start <= most && endTicks - keyframe < least;
    if (keyframe - start < least || isLastShort) continue;
    if (keyframe - start > most) return left('Its keyframes are too far from each other.');
    starts.push(keyframe);
    start = keyframe;
  }
  return endTicks - start > most ? left('Its keyframes are too far from each other.') : right(starts);
};
