/** Readiness is what the server answers, not a time that has passed. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, left, right } from 'fp-ts/Either';
import type { Child } from './child';

export interface Question {
  readonly child: Child;
  readonly ask: () => Promise<boolean>;
  readonly milliseconds: number;
  readonly signal?: AbortSignal | undefined;
}

const pauseMilliseconds = 25;

/** Left: why it is not ready; it is stopped then. */
export const untilReady = async ({ child, ask, milliseconds, signal }: Question): Promise<Either<string, void>> => {
  const end = Date.now() + milliseconds;
  for (;;) {
    if (child.hasExited()) return left(`it ended at its start: ${child.reason()}`);
    if (await ask()) return right(undefined);
    if (signal?.aborted || Date.now() > end) {
      await child.stop();
      return left(
        signal?.aborted
          ? 'its start was given up.'
          : `it did not answer within ${milliseconds / 1000} s: ${child.reason()}`,
      );
    }
    await sleep(pauseMilliseconds);
  }
};
