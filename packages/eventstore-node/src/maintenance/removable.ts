/**
 * What of a stream may go: what no read shows any more. Only ever its beginning, so that the revisions that stay are
 * dense, and never its last event, which numbers the next one.
 */
import { firstVisible, type Head, type Heads, isEnded } from '../storage/heads';

/** Every event below this revision may go; a tombstone, which is above all of them, stays. */
export const removableBelow = (heads: Heads, name: Buffer, head: Head): number => {
  if (isEnded(heads, name)) return Number.POSITIVE_INFINITY;
  return Math.min(firstVisible(name, head), head.last);
};

/** Events written before this (milliseconds since 1970) may go when everything below them may; undefined: age tells nothing. */
export const removableBefore = ({ retention }: Head, now: number): number | undefined =>
  retention.maxAge === undefined ? undefined : now - retention.maxAge * 1000;
