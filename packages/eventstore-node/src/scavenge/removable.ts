/**
 * The removable events of a stream: no read returns them. Always a prefix of the stream, so that the
 * remaining revisions are dense, and never its last event, which numbers the next one.
 */
import { firstVisibleRevision, isTombstoned, type StreamHead, type StreamHeads } from '../storage/streams/stream-heads';

/** Events below this revision are removable; a tombstone is above all of them and stays. */
export const removableBelow = (heads: StreamHeads, name: Buffer, head: StreamHead): number => {
  if (isTombstoned(heads, name)) return Number.POSITIVE_INFINITY;
  return Math.min(firstVisibleRevision(name, head), head.last);
};

/**
 * Events written before this time (ms since 1970) are removable if everything below them is; undefined without a
 * maximum age.
 */
export const removableBefore = ({ retention }: StreamHead, now: number): number | undefined =>
  retention.maxAge === undefined ? undefined : now - retention.maxAge * 1000;
