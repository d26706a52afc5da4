/** What every kind of limit is to do, in exact arithmetic and without a thought for speed. */
import type { Limit } from '../../../../packages/ratelimit/src/policy/limit';
import type { ModelLimit } from './arithmetic';
import { drainingLimit } from './draining-limits';
import { concurrencyLimit, slidingLogLimit } from './logged-limits';
import { fixedWindowLimit, quotaLimit, slidingCounterLimit } from './windowed-limits';

const micro = (milliseconds: number): bigint => BigInt(milliseconds) * 1_000n;

export const modelOf = (limit: Limit): ModelLimit => {
  const most = BigInt(limit.limit);
  switch (limit.algorithm) {
    case 'token-bucket':
      return drainingLimit(most, micro(limit.periodMilliseconds), BigInt(limit.burst));
    case 'leaky-bucket': {
      const waiting = (most * BigInt(limit.longestWaitMilliseconds)) / BigInt(limit.periodMilliseconds);
      return drainingLimit(most, micro(limit.periodMilliseconds), 1n + waiting);
    }
    case 'fixed-window':
      return fixedWindowLimit(most, micro(limit.periodMilliseconds));
    case 'sliding-log':
      return slidingLogLimit(most, micro(limit.periodMilliseconds));
    case 'sliding-counter':
      return slidingCounterLimit(most, micro(limit.periodMilliseconds));
    case 'quota':
      return quotaLimit(most);
    case 'concurrency':
      return concurrencyLimit(most, micro(limit.leaseMilliseconds));
  }
};
