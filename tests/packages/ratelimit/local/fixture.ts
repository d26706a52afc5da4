/** One process that counts alone, with a clock that the test moves. */

import { localLimits, type ProcessLimits } from '../../../../packages/ratelimit/src/local/local-limits';
import { compileLimit } from '../../../../packages/ratelimit/src/policy/compile-limit';
import type { Limit, Strictness } from '../../../../packages/ratelimit/src/policy/limit';
import type { StoreDecision } from '../../../../packages/ratelimit/src/store/limit-charge';
import type { LocalCharge } from '../../../../packages/ratelimit/src/store/limit-store';

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
): LocalCharge => ({
  key,
  limit: compileLimit(limit, strictness),
  cost,
  share,
});

/** With a clock of its own. */
export const stage = (keys?: number) => {
  let now = 1_000_000_000;
  const local = localLimits({ now: () => now, ...(keys === undefined ? {} : { keys }) });
  const pass = (charge: LocalCharge): boolean => local.decide('take', 'id', [charge]).outcome === 'admitted';
  return {
    local,
    pass,
    admittedOf: (count: number, charge: LocalCharge): number =>
      Array.from({ length: count }, () => pass(charge)).filter(Boolean).length,
    wait: (microseconds: number): void => {
      now += microseconds;
    },
  };
};

export const observe = (
  local: ProcessLimits,
  charge: LocalCharge,
  limit: Partial<StoreDecision['limits'][number]>,
): void =>
  local.observe([charge], {
    outcome: 'admitted',
    at: 1_700_000_000_000_000,
    turnMicroseconds: 0,
    limits: [{ over: false, remaining: 0, resetMicroseconds: 0, waitMicroseconds: 0, ...limit }],
  });
