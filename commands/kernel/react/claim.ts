/** Keeps the claim of a job alive while it is worked on. */
import { isLeft } from 'fp-ts/Either';
import { pause } from '../../../infra/backoff';
import type { Job, WorkQueue } from '../../../infra/ports/work-queue';

export interface Claimed {
  readonly job: Job;
  /** Aborts when the claim may be another's, or there is no more time. */
  readonly signal: AbortSignal;
  readonly isLost: () => boolean;
  readonly end: () => Promise<void>;
}

export interface ClaimTerms {
  readonly milliseconds: number;
  readonly hurry: AbortSignal;
}

export const holdClaim = (work: WorkQueue, job: Job, { milliseconds, hurry }: ClaimTerms): Claimed => {
  const lost = new AbortController();
  const ended = new AbortController();
  let until = performance.now() + milliseconds;
  const beat = async (): Promise<void> => {
    for (;;) {
      await pause(milliseconds / 3, ended.signal);
      if (ended.signal.aborted) return;
      const asked = performance.now();
      const kept = await work.keep(job, milliseconds);
      if (!isLeft(kept) && kept.right) until = asked + milliseconds;
      // Without an answer it is this one's until its time is over.
      if ((!isLeft(kept) && !kept.right) || performance.now() >= until) return lost.abort();
    }
  };
  const beating = beat();
  return {
    job,
    signal: AbortSignal.any([lost.signal, hurry]),
    isLost: () => lost.signal.aborted,
    end: async () => {
      ended.abort();
      await beating;
    },
  };
};
