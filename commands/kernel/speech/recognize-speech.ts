/** Recognizes the speech of a decoded recording in a worker, with its progress: for files and for videos. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { SpokenPassage } from '../../../infra/ports/files/transcriber';
import { again, type JobFailure, type JobRun, type WorkerAdapters } from '../work-queue/job-handler';

interface DecodedRecording {
  /** As `SpeechRecording` has it. */
  readonly path: string;
  /** Null: not known. */
  readonly durationMs: number | null;
}

/** This worker lacks something, which may be there later. */
interface Unavailable {
  readonly kind: 'deferred';
  readonly reason: string;
}

const unavailable = (reason: string): Either<Unavailable, never> => left({ kind: 'deferred', reason });

export const recognizeSpeech = async (
  { transcriber: open }: Pick<WorkerAdapters, 'transcriber'>,
  run: Pick<JobRun, 'signal' | 'reportProgress'>,
  { path, durationMs }: DecodedRecording,
): Promise<Either<Unavailable | JobFailure, readonly SpokenPassage[]>> => {
  const transcriber = open?.();
  if (transcriber === undefined) return unavailable('The program that transcribes speech is not ready yet.');
  const passages = await transcriber.transcribe({
    path,
    signal: run.signal,
    reportProgress: (done) =>
      run.reportProgress({
        fraction: durationMs === null || durationMs === 0 ? 0 : Math.min(1, done / durationMs),
        detail: 'Speech is transcribed.',
      }),
  });
  if (!isLeft(passages)) return right(passages.right);
  return run.signal.aborted ? again('It was ended.') : unavailable(passages.left.detail);
};
