/** What every kind of limit is to do, in exact arithmetic and without a thought for speed. */
import type { Limit } from '../../../../packages/ratelimit/src/policy/limit';
import type { ModelLimit } from './arithmetic';
import { draining } from './draining-limits';
import { held, logged } from './logged-limits';
import { quoted, shared, windowed } from './windowed-limits';

const micro = (milliseconds: number): bigint => BigInt(milliseconds) * 1_000n;

export const modelOf = (limit: Limit): ModelLimit => {
  const most = BigInt(limit.limit);
  switch (limit.algorithm) {
    case 'token-bucket':
      return draining(most, micro(limit.periodMilliseconds), BigInt(limit.burst));
    case 'leaky-bucket': {
      const waiting = (most * BigInt(limit.longestWaitMilliseconds)) / BigInt(limit.periodMilliseconds);
      return draining(most, micro(limit.periodMilliseconds), 1n + waiting);
    }
    case 'fixed-window':
      return windowed(most, micro(limit.periodMilliseconds));
    case 'sliding-log':
      return logged(most, micro(limit.periodMilliseconds));
    case 'sliding-counter':
      return shared(most, micro(limit.periodMilliseconds));
    case 'quota':
      return quoted(most);
    case 'concurrency':
      return held(most, micro(limit.leaseMilliseconds));
  }
};
