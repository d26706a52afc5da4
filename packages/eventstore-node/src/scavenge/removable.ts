/**
 * What of a stream may go: what no read shows any more. Only ever its beginning, so that the revisions that stay are
 * dense, and never its last event, which numbers the next one.
 */
import { firstVisibleRevision, isTombstoned, type StreamHead, type StreamHeads } from '../storage/streams/stream-heads';

/** Every event below this revision may go; a tombstone, which is above all of them, stays. */
export const removableBelow = (heads: StreamHeads, name: Buffer, head: StreamHead): number => {
  if (isTombstoned(heads, name)) return Number.POSITIVE_INFINITY;
  return Math.min(firstVisibleRevision(name, head), head.last);
};

/** Events written before this (milliseconds since 1970) may go when everything below them may; undefined: age tells nothing. */
export const removableBefore = ({ retention }: StreamHead, now: number): number | undefined =>
  retention.maxAge === undefined ? undefined : now - retention.maxAge * 1000;
