/** Limits how many tasks run and how many wait; refuses more, so that a flood costs neither memory nor time. */
import { status } from '@grpc/grpc-js';
import { CallError } from '../protocol/errors';

export type ConcurrencyLimit = <Result>(run: () => Promise<Result>) => Promise<Result>;

export interface ConcurrencyBounds {
  readonly running: number;
  readonly waiting: number;
}

export const createConcurrencyLimit = (bounds: ConcurrencyBounds): ConcurrencyLimit => {
  const waiting: (() => void)[] = [];
  let running = 0;
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };
  return async (run) => {
    if (running < bounds.running) running += 1;
    else if (waiting.length < bounds.waiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new CallError(status.UNAVAILABLE, 'Server Is Too Busy');
    try {
      return await run();
    } finally {
      leave();
    }
  };
};
