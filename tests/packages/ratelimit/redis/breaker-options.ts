/** A breaker that opens and closes soon. */
import type { BreakerOptions } from '../../../../packages/ratelimit/src/redis/circuit-breaker';

export const options: BreakerOptions = {
  faults: 3,
  slowMilliseconds: 10,
  slowShare: 0.5,
  slowOf: 10,
  openMilliseconds: 100,
  longestOpenMilliseconds: 400,
  goodProbes: 3,
};
