/** Holds the claim of a running job: renews it, and ends the job when it is cancelled, late or another worker's. */
import { isLeft } from 'fp-ts/Either';
import type { ClaimState, Job, Progress, WorkQueue } from '../../../infra/ports/processes/work-queue';
import { backoffMilliseconds, pause } from '../../../infra/server/runtime/backoff';

/** Why a running job has to end. */
export type StopReason = 'lost' | 'cancelled' | 'late' | 'drained';

export interface ClaimedJob {
  readonly job: Job;
  /** Aborts when the job has to end. */
  readonly signal: AbortSignal;
  readonly stopReason: () => StopReason | undefined;
  /** The number of this attempt, since the last checkpoint. */
  readonly attempt: () => number;
  /** What the job has done so far stays done: its attempts count from here again. */
  readonly checkpoint: () => Promise<void>;
  readonly reportProgress: (progress: Progress) => void;
  /** Whether results count. Checked in the store, because a worker may have been paused past its lease. */
  readonly confirm: () => Promise<boolean>;
  /** Ends the renewal; call it before the claim is settled. */
  readonly end: () => Promise<void>;
}

export interface ClaimOptions {
  /** The claim's length; it is renewed after a third of it. */
  readonly milliseconds: number;
  /** `performance.now()` before the claim was sent: the store counts its length from later on. */
  readonly sentAt: number;
  readonly drainDeadline: AbortSignal;
  /** A renewal came this long after the claim's end, which no other worker had used: this one was too busy to renew in time. */
  readonly renewedLate?: (milliseconds: number) => void;
}

/**
 * A worker whose claim has expired by its own clock waits so many times for the store's word, which counts: 3 seconds, and longer where its event
 * loop stands still again, because an answer that has arrived is read between two of them.
 */
const lastAnswers = 15;
const answerMilliseconds = 200;

/** Longer delays overflow the timer and fire at once; such a deadline is for the next attempt. */
const maxTimerMilliseconds = 2 ** 31 - 1;

export const renewClaim = (work: WorkQueue, job: Job, options: ClaimOptions): ClaimedJob => {
  const { milliseconds, sentAt: claimSentAt, drainDeadline, renewedLate } = options;
  const stopped = new AbortController();
  const ended = new AbortController();
  let reason: StopReason | undefined;
  let progress: Progress | undefined;
  const stop = (why: StopReason): void => {
    if (reason !== undefined || ended.signal.aborted) return;
    reason = why;
    stopped.abort();
  };

  let attempt = job.attempt;
  let expiresAt = claimSentAt + milliseconds;
  // While the store does not answer, another worker may have the job. It answers whether one has, when this one comes late.
  const expireThen = () => setTimeout(() => void expire(), Math.max(0, expiresAt - performance.now()));
  let expiry = expireThen();
  const untilDeadline = job.deadlineMilliseconds ?? Number.POSITIVE_INFINITY;
  const late =
    untilDeadline > maxTimerMilliseconds ? undefined : setTimeout(() => stop('late'), Math.max(0, untilDeadline));
  const drain = (): void => stop('drained');
  drainDeadline.addEventListener('abort', drain, { once: true });
  if (drainDeadline.aborted) drain();

  /** Undefined: the store does not answer; the claim is valid until it expires. */
  const extend = async (): Promise<ClaimState | undefined> => {
    const sentAt = performance.now();
    const reported = progress;
    const extended = await work.extendClaim(job, { milliseconds, progress: reported });
    if (isLeft(extended)) return undefined;
    if (progress === reported) progress = undefined;
    if (extended.right === 'lost') stop('lost');
    if (extended.right === 'cancel-requested') stop('cancelled');
    if (extended.right === 'valid' && !ended.signal.aborted) {
      if (sentAt > expiresAt) renewedLate?.(sentAt - expiresAt);
      clearTimeout(expiry);
      expiresAt = sentAt + milliseconds;
      expiry = expireThen();
    }
    return extended.right;
  };

  const expire = async (): Promise<void> => {
    const over = new AbortController();
    const answered = async (): Promise<void> => {
      while (!over.signal.aborted && (await extend()) === undefined) await pause(answerMilliseconds, over.signal);
    };
    const waited = async (): Promise<void> => {
      for (let times = 0; times < lastAnswers && !over.signal.aborted; times += 1)
        await pause(answerMilliseconds, ended.signal);
    };
    await Promise.race([answered(), waited()]);
    over.abort();
    if (performance.now() >= expiresAt) stop('lost');
  };

  /** A claim that has most of its time left is only looked at. */
  const confirmOnce = async (): Promise<ClaimState | undefined> => {
    if (expiresAt - performance.now() < milliseconds / 2) return extend();
    const checked = await work.checkClaim(job);
    if (isLeft(checked)) return undefined;
    if (checked.right === 'lost') stop('lost');
    if (checked.right === 'cancel-requested') stop('cancelled');
    return checked.right;
  };

  const renew = async (): Promise<void> => {
    for (;;) {
      await pause(milliseconds / 3, ended.signal);
      if (ended.signal.aborted || reason === 'lost') return;
      // A job that is ending is still this worker's, until it has ended.
      await extend();
    }
  };
  const renewing = renew();

  return {
    job,
    signal: stopped.signal,
    stopReason: () => reason,
    attempt: () => attempt,
    checkpoint: async () => {
      if (attempt === 1) return;
      const reset = await work.resetAttempts(job);
      if (!isLeft(reset) && reset.right) attempt = 1;
    },
    reportProgress: (reported) => {
      progress = { ...reported, fraction: Math.min(1, Math.max(0, reported.fraction)) };
    },
    confirm: async () => {
      for (let attempt = 0; !stopped.signal.aborted; attempt += 1) {
        if ((await confirmOnce()) === 'valid') return reason === undefined;
        await pause(backoffMilliseconds(attempt, 50, 1_000), stopped.signal);
      }
      return false;
    },
    end: async () => {
      ended.abort();
      clearTimeout(expiry);
      clearTimeout(late);
      drainDeadline.removeEventListener('abort', drain);
      await renewing;
    },
  };
};
