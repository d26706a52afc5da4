/** Extends the claim of a running job. */
import { isLeft } from 'fp-ts/Either';
import type { Job, WorkQueue } from '../../../infra/ports/processes/work-queue';
import { pause } from '../../../infra/runtime/backoff';

export interface ClaimedJob {
  readonly job: Job;
  /** Aborts when the claim is lost or the drain deadline has passed. */
  readonly signal: AbortSignal;
  readonly isLost: () => boolean;
  readonly end: () => Promise<void>;
}

export interface ClaimOptions {
  readonly milliseconds: number;
  readonly drainDeadline: AbortSignal;
}

export const renewClaim = (work: WorkQueue, job: Job, { milliseconds, drainDeadline }: ClaimOptions): ClaimedJob => {
  const lost = new AbortController();
  const ended = new AbortController();
  let until = performance.now() + milliseconds;
  const renew = async (): Promise<void> => {
    for (;;) {
      await pause(milliseconds / 3, ended.signal);
      if (ended.signal.aborted) return;
      const sentAt = performance.now();
      const extended = await work.extendClaim(job, milliseconds);
      if (!isLeft(extended) && extended.right) until = sentAt + milliseconds;
      // Without an answer the claim is valid until it expires.
      if ((!isLeft(extended) && !extended.right) || performance.now() >= until) return lost.abort();
    }
  };
  const renewing = renew();
  return {
    job,
    signal: AbortSignal.any([lost.signal, drainDeadline]),
    isLost: () => lost.signal.aborted,
    end: async () => {
      ended.abort();
      await renewing;
    },
  };
};
