/** Limits of windows of the clock, and counts for good. */
import { atLeastZero, type ModelLimit, most } from './arithmetic';

export const fixedWindowLimit = (limit: bigint, period: bigint): ModelLimit => {
  let start = 0n;
  let count = 0n;
  const at = (clock: bigint) => {
    const begins = clock - (clock % period);
    return begins > start ? { start: begins, count: 0n } : { start, count };
  };
  return {
    check: (cost, clock) => {
      const now = at(clock);
      const over = now.count + cost > limit;
      const left = atLeastZero(limit - now.count - (over ? 0n : cost));
      return { over, remaining: left, wait: over ? now.start + period - clock : 0n };
    },
    take: (cost, clock) => {
      const now = at(clock);
      start = now.start;
      count = now.count + cost;
    },
    correct: (taken, delta) => {
      if (taken.at - (taken.at % period) === start) count = atLeastZero(count + delta);
    },
  };
};

export const slidingCounterLimit = (limit: bigint, period: bigint): ModelLimit => {
  let index = 0n;
  let last = 0n;
  let current = 0n;
  const at = (clock: bigint) => {
    const here = clock / period;
    if (here <= index) return { index, last, current, passed: most(clock, index * period) - index * period };
    const passed = clock - here * period;
    return { index: here, last: here === index + 1n ? current : 0n, current: 0n, passed };
  };
  const admits = (now: ReturnType<typeof at>, cost: bigint): boolean =>
    now.last * (period - now.passed) + (now.current + cost) * period <= limit * period;
  /** By trying: the first moment at which it would pass without other requests. */
  const waitOf = (now: ReturnType<typeof at>, cost: bigint): bigint => {
    const passes = (wait: bigint): boolean => {
      const passed = now.passed + wait;
      if (passed < period) return admits({ ...now, passed }, cost);
      const next = passed - period;
      return next >= period || admits({ index: now.index + 1n, last: now.current, current: 0n, passed: next }, cost);
    };
    let [low, high] = [0n, 2n * period];
    while (low < high) {
      const middle = (low + high) / 2n;
      if (passes(middle)) high = middle;
      else low = middle + 1n;
    }
    return low;
  };
  return {
    check: (cost, clock) => {
      const now = at(clock);
      const over = !admits(now, cost);
      const left = (limit * period - now.last * (period - now.passed)) / period - now.current;
      return {
        over,
        remaining: atLeastZero(over ? left : left - cost),
        wait: over ? waitOf(now, cost) + atLeastZero(index * period - clock) : 0n,
      };
    },
    take: (cost, clock) => {
      const now = at(clock);
      index = now.index;
      last = now.last;
      current = now.current + cost;
    },
    correct: (taken, delta) => {
      const then = taken.at / period;
      if (then === index) current = atLeastZero(current + delta);
      if (then === index - 1n) last = atLeastZero(last + delta);
    },
  };
};

export const quotaLimit = (limit: bigint): ModelLimit => {
  let count = 0n;
  return {
    check: (cost) => {
      const over = count + cost > limit;
      return { over, remaining: atLeastZero(limit - count - (over ? 0n : cost)), wait: 0n };
    },
    take: (cost) => {
      count += cost;
    },
    correct: (_, delta) => {
      count = atLeastZero(count + delta);
    },
  };
};
