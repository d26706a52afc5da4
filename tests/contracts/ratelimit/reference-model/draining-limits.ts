/** Limits that drain at a rate: buckets and queues. */
import { atLeastZero, ceiling, type ModelLimit, most } from './arithmetic';

/** Tokens are counted in parts of one, of which `limit` drain each microsecond: a token is as many as its period has. */
export const drainingLimit = (limit: bigint, period: bigint, tokens: bigint): ModelLimit => {
  let used = 0n;
  let last = 0n;
  const at = (clock: bigint): bigint => atLeastZero(used - atLeastZero(clock - last) * limit);
  return {
    check: (cost, clock) => {
      const need = at(clock) + cost * period;
      const over = need > tokens * period;
      const left = atLeastZero(tokens * period - (over ? at(clock) : need)) / period;
      const behind = atLeastZero(last - clock);
      return { over, remaining: left, wait: over ? ceiling(need - tokens * period, limit) + behind : 0n };
    },
    take: (cost, clock) => {
      used = at(clock) + cost * period;
      last = most(last, clock);
    },
    correct: (_, delta, clock) => {
      const [corrected, largest] = [atLeastZero(at(clock) + delta * period), 2n * tokens * period];
      used = corrected > largest ? largest : corrected;
      last = most(last, clock);
    },
  };
};
