/** A share of a bucket, in one process: credit that grows with time, and that requests take from. Microseconds and tokens. */
import type { LimitState } from './asked';
import type { LeakyBucket, TokenBucket } from './limit';
import type { LocalState } from './local-state';

export interface DrainNumbers {
  /** Of the share: what it holds when full, and what comes back in a microsecond. */
  readonly full: number;
  readonly rate: number;
  readonly isQueue: boolean;
}

export const drainNumbers = (limit: TokenBucket | LeakyBucket, capacity: number, share: number): DrainNumbers => ({
  full: capacity * share,
  rate: (limit.limit * share) / (limit.periodMilliseconds * 1_000),
  isQueue: limit.algorithm === 'leaky-bucket',
});

const creditAt = (now: number, last: number, credit: number, rate: number): number => credit + (now - last) * rate;

/** Of a token: sums of fractions miss by less. */
const nothing = 1e-6;

/**
 * A share may hold less than one request takes: then it saves up for it. Over any time, what passes is what the share held at first and
 * what came back since.
 */
export const drainState = ({ full, rate, isQueue }: DrainNumbers, since: number): LocalState => {
  let [credit, last] = [full, since];
  const at = (now: number): number => creditAt(now, last, credit, rate);
  const upTo = (now: number, cost: number): number => Math.min(at(now), Math.max(full, cost));
  return {
    check: (cost, now): LimitState => {
      const here = upTo(now, cost);
      const over = here + nothing < cost;
      const left = over ? here : here - cost;
      return {
        over,
        remaining: Math.max(0, Math.floor(Math.min(left, full) + nothing)),
        resetMicroseconds: Math.max(0, Math.ceil((full - left) / rate)),
        waitMicroseconds: over ? Math.ceil((cost - here) / rate) : 0,
      };
    },
    turn: (now) => (isQueue ? Math.max(0, Math.ceil((full - at(now)) / rate)) : 0),
    take: (cost, now) => {
      [credit, last] = [upTo(now, cost) - cost, now];
      return now;
    },
    correct: (_, delta, now) => {
      [credit, last] = [Math.min(full, Math.max(-full, upTo(now, 0) - delta)), now];
    },
    /** What is used of the whole is used of the share. */
    heard: ({ resetMicroseconds }, when, now) => {
      const known = full - Math.max(0, resetMicroseconds - (now - when)) * rate;
      [credit, last] = [Math.min(upTo(now, 0), known), now];
    },
    idleAt: () => last + (full - credit) / rate,
  };
};
