/**
 * Jobs that were claimed ahead of a free slot, so that short jobs do not wait for a round trip each. They are held for a moment only: another
 * worker may have capacity.
 */
import type { ClaimedJob } from './claim-renewal';

export interface ReadyJobs {
  readonly size: () => number;
  /** How many jobs beyond the free slots may be claimed and held. */
  readonly capacity: () => number;
  /** The oldest, unless its claim has ended. */
  readonly take: () => ClaimedJob | undefined;
  readonly add: (claimed: ClaimedJob) => void;
  /** A job took this long in its slot. */
  readonly performed: (milliseconds: number) => void;
  /** Gives all of them back, and takes none any more. */
  readonly close: () => void;
}

export interface ReadyJobsOptions {
  readonly capacity: number;
  readonly release: (claimed: ClaimedJob) => void;
}

/** Jobs that take longer on average are not claimed ahead: a round trip is a small part of them. */
const shortMilliseconds = 20;
/** A job that did not get a slot in this time goes back to the queue. */
const heldMilliseconds = 200;
const weight = 0.1;

export const createReadyJobs = ({ capacity, release }: ReadyJobsOptions): ReadyJobs => {
  const held = new Map<ClaimedJob, NodeJS.Timeout>();
  let isClosed = false;
  // Until jobs prove to be short, none is claimed ahead.
  let mean = Number.POSITIVE_INFINITY;
  const drop = (claimed: ClaimedJob): void => {
    clearTimeout(held.get(claimed));
    held.delete(claimed);
    release(claimed);
  };
  return {
    size: () => held.size,
    capacity: () => (mean <= shortMilliseconds ? capacity : 0),
    take: () => {
      for (const [claimed, timer] of held) {
        if (claimed.signal.aborted) {
          drop(claimed);
          continue;
        }
        clearTimeout(timer);
        held.delete(claimed);
        return claimed;
      }
      return undefined;
    },
    add: (claimed) => {
      if (isClosed) drop(claimed);
      else
        held.set(
          claimed,
          setTimeout(() => {
            mean = Number.POSITIVE_INFINITY;
            drop(claimed);
          }, heldMilliseconds),
        );
    },
    performed: (milliseconds) => {
      mean = Number.isFinite(mean) ? mean + weight * (milliseconds - mean) : milliseconds;
    },
    close: () => {
      isClosed = true;
      for (const claimed of [...held.keys()]) drop(claimed);
    },
  };
};
