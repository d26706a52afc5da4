/**
 * Jobs whose end is recorded in a stream, be it good or bad: people learn why what they wait for stands still, and that it goes on by itself. The
 * queue tries again only what is soon over.
 */
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import type { Log } from '../../../infra/ports/runtime/log';
import { again, type DecodedJob, type JobFailure, type JobRun } from './job-handler';

/** Object storage is away in the midst of an object; the message is a sentence for people. */
export class StorageFault extends Error {}

/** Something is missing or away, and may be there later. */
export interface Deferred {
  readonly kind: 'deferred';
  /** A sentence for people. */
  readonly reason: string;
}

/** What is processed will never be usable, whatever is tried. */
export interface Refusal<Code extends string> {
  readonly kind: 'refused';
  readonly code: Code;
  /** A sentence for people that helps. */
  readonly detail: string;
}

export type RecordedEnd<Result, Code extends string> = Either<JobFailure | Deferred | Refusal<Code>, Result>;

export const defer = (reason: string): Either<Deferred, never> => left({ kind: 'deferred', reason });

export const refuse = <Code extends string>(code: Code, detail: string): Either<Refusal<Code>, never> =>
  left({ kind: 'refused', code, detail });

export type Recorded = Either<JobFailure, readonly []>;

export interface RecordedJob<Result, Code extends string> {
  readonly job: Pick<DecodedJob<unknown>, 'queue' | 'key' | 'attempt'>;
  readonly run: Pick<JobRun, 'signal' | 'checkpoint'>;
  readonly log: Log;
  readonly perform: () => Promise<RecordedEnd<Result, Code>>;
  readonly complete: (result: Result) => Promise<Recorded>;
  readonly defer: (reason: string) => Promise<Recorded>;
  readonly refuse: (code: Code | 'INTERNAL', detail: string) => Promise<Recorded>;
  /** Sentences for people. `lost`: its workers were lost `mostTries` times; `defective`: it fails for a reason of ours. */
  readonly sentences: { readonly lost: string; readonly defective: string };
}

/** It is tried so often; the job itself may be claimed more often, to record that its workers were lost. */
export const mostTries = 8;
/** After so many tries at a store that is away, within about ten seconds, people learn why it waits and when it is tried again. */
const triesBeforePause = 4;

/** What is thrown is a defect, unless storage broke off: it is tried again, and then refused. */
const attempt = async <Result, Code extends string>({
  job,
  run,
  log,
  perform,
  sentences,
}: RecordedJob<Result, Code>): Promise<RecordedEnd<Result, Code | 'INTERNAL'>> => {
  if (job.attempt > mostTries) return refuse('INTERNAL', sentences.lost);
  try {
    return await perform();
  } catch (error) {
    if (error instanceof StorageFault) return again(error.message);
    if (job.attempt < mostTries || run.signal.aborted) throw error;
    log.warn({ error, queue: job.queue, key: job.key, attempt: job.attempt }, 'a job is defective');
    return refuse('INTERNAL', sentences.defective);
  }
};

/** Performs one attempt and records how it ended. */
export const performRecorded = async <Result, Code extends string>(
  recorded: RecordedJob<Result, Code>,
): Promise<Recorded> => {
  const end = await attempt(recorded);
  if (isRight(end)) return recorded.complete(end.right);
  // A failure under a lost claim is no fault of what is processed.
  if (recorded.run.signal.aborted) return again('It was ended.');
  const failed = end.left;
  switch (failed.kind) {
    case 'deferred':
      return recorded.defer(failed.reason);
    case 'transient':
      return recorded.job.attempt < triesBeforePause ? left(failed) : recorded.defer(failed.reason);
    case 'refused':
      return recorded.refuse(failed.code, failed.detail);
    case 'permanent':
      return recorded.refuse('INTERNAL', recorded.sentences.defective);
  }
};

/** While the log is away nothing can be recorded of a job, and its tries are not those of lost workers: they count from here again. */
export const unlessLogIsAway = async (
  { job, run }: Pick<RecordedJob<unknown, string>, 'job' | 'run'>,
  performed: Recorded,
): Promise<Recorded> => {
  const isAway = isLeft(performed) && performed.left.kind === 'transient' && !run.signal.aborted;
  if (isAway && job.attempt >= mostTries) await run.checkpoint();
  return performed;
};

export const nothingToRecord: Recorded = right([]);
