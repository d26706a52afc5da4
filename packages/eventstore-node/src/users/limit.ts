/** At most so many at a time and so many waiting; more are refused, so that a flood costs neither memory nor patience. */
import { status } from '@grpc/grpc-js';
import { CallEnded } from '../protocol/errors';

export type Limit = <Result>(run: () => Promise<Result>) => Promise<Result>;

export interface Bounds {
  readonly running: number;
  readonly waiting: number;
}

export const createLimit = (bounds: Bounds): Limit => {
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
    else throw new CallEnded(status.UNAVAILABLE, 'Server Is Too Busy');
    try {
      return await run();
    } finally {
      leave();
    }
  };
};
