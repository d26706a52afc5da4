/** One process that counts alone, with a clock that the test moves. */
import type { Decided } from '../../../packages/ratelimit/src/asked';
import { compile } from '../../../packages/ratelimit/src/compiled';
import type { Limit, Strictness } from '../../../packages/ratelimit/src/limit';
import { type LocalLimitsOfProcess, localLimits } from '../../../packages/ratelimit/src/local';
import type { AskedLocally } from '../../../packages/ratelimit/src/store';

export const minute = 60_000_000;
const perMinute = { name: 'l', limit: 100, periodMilliseconds: 60_000 } as const;
export const bucket: Limit = { ...perMinute, algorithm: 'token-bucket', burst: 100 };
export const window: Limit = { ...perMinute, algorithm: 'fixed-window' };
export const concurrency: Limit = { name: 'c', algorithm: 'concurrency', limit: 10, leaseMilliseconds: 60_000 };

export const asking = (
  key: string,
  limit: Limit,
  share: number,
  cost = 1,
  strictness: Strictness = 'hard',
): AskedLocally => ({
  key,
  limit: compile(limit, strictness),
  cost,
  share,
});

/** With a clock of its own. */
export const stage = (keys?: number) => {
  let now = 1_000_000_000;
  const local = localLimits({ now: () => now, ...(keys === undefined ? {} : { keys }) });
  const pass = (asked: AskedLocally): boolean => local.decide('take', 'id', [asked]).outcome === 'admitted';
  return {
    local,
    pass,
    admittedOf: (count: number, asked: AskedLocally): number =>
      Array.from({ length: count }, () => pass(asked)).filter(Boolean).length,
    wait: (microseconds: number): void => {
      now += microseconds;
    },
  };
};

export const heard = (
  local: LocalLimitsOfProcess,
  asked: AskedLocally,
  said: Partial<Decided['limits'][number]>,
): void =>
  local.heard([asked], {
    outcome: 'admitted',
    at: 1_700_000_000_000_000,
    turnMicroseconds: 0,
    limits: [{ over: false, remaining: 0, resetMicroseconds: 0, waitMicroseconds: 0, ...said }],
  });
