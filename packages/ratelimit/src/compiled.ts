/** A limit as the script takes it: whole numbers that a double holds exactly, packed once. */
import type { LeakyBucket, Limit, Strictness, TokenBucket } from './limit';
import { idOf, kinds, type Numbers, pack } from './packed-limit';

export interface Compiled {
  /** Tells it from the other limits of its callers; of its name alone. */
  readonly id: string;
  /** One byte each of kind and strictness, then five doubles (little-endian), then its id. */
  readonly packed: Buffer;
  /** It has a key of its own for each caller: more is kept of it than a few numbers. */
  readonly isApart: boolean;
  /** More than that at once is never admitted; what remains is of that. */
  readonly capacity: number;
  /** In which that much comes back; 0 where it does not by itself. */
  readonly windowSeconds: number;
  /** For who counts without the script. */
  readonly source: Limit;
  readonly strictness: Strictness;
}

/** A double holds every whole number below 2^53; a half of that leaves room for a debt of the same size. */
const largest = 2 ** 52;
const microseconds = 1_000;

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);

interface Units {
  /** Units that one token is. */
  readonly token: number;
  /** Units that drain per tick. */
  readonly rate: number;
  readonly tickMicroseconds: number;
}

const ticks = [1, 10, 100, 1_000];

/**
 * A token is so many units that a whole number of them drains each tick: no fraction, no drift. The finest tick is taken whose
 * numbers stay exact.
 */
const unitsOf = (limit: number, periodMilliseconds: number, tokens: number): Units => {
  for (const tickMicroseconds of ticks) {
    const period = (periodMilliseconds * microseconds) / tickMicroseconds;
    const divisor = greatestCommonDivisor(limit, period);
    const [token, rate] = [period / divisor, limit / divisor];
    if (token * tokens <= largest) return { token, rate, tickMicroseconds };
  }
  throw new Error(
    `a limit of ${limit} in ${periodMilliseconds} ms with room for ${tokens} is too large to count exactly`,
  );
};

const drained = (kind: number, { token, rate, tickMicroseconds }: Units, tokens: number): Numbers => [
  kind,
  token * tokens,
  token,
  rate,
  tickMicroseconds,
];

interface Shape {
  readonly numbers: Numbers;
  readonly capacity: number;
  readonly windowMilliseconds: number;
}

/** A bucket may hold more or less than comes back in its period. */
const held = (numbers: Numbers, { limit, periodMilliseconds }: LeakyBucket | TokenBucket, capacity: number): Shape => ({
  numbers,
  capacity,
  windowMilliseconds: (capacity * periodMilliseconds) / limit,
});

/** Those that wait at the longest, and the one whose turn it is. */
const queued = (limit: number, periodMilliseconds: number, longestWaitMilliseconds: number): number =>
  1 + Math.floor((limit * longestWaitMilliseconds) / periodMilliseconds);

const shapeOf = (limit: Limit): Shape => {
  switch (limit.algorithm) {
    case 'token-bucket': {
      const units = unitsOf(limit.limit, limit.periodMilliseconds, limit.burst);
      return held(drained(kinds.bucket, units, limit.burst), limit, limit.burst);
    }
    case 'leaky-bucket': {
      const tokens = queued(limit.limit, limit.periodMilliseconds, limit.longestWaitMilliseconds);
      const units = unitsOf(limit.limit, limit.periodMilliseconds, tokens);
      return held(drained(kinds.queue, units, tokens), limit, tokens);
    }
    case 'fixed-window':
      return windowed(kinds.window, limit.limit, limit.periodMilliseconds);
    case 'sliding-log':
      return windowed(kinds.log, limit.limit, limit.periodMilliseconds);
    case 'sliding-counter':
      return counted(limit.limit, limit.periodMilliseconds);
    case 'quota': {
      const { startsAt, endsAt } = limit;
      const numbers: Numbers = [kinds.quota, limit.limit, startsAt * microseconds, endsAt * microseconds];
      return { numbers, capacity: limit.limit, windowMilliseconds: endsAt - startsAt };
    }
    case 'concurrency':
      return {
        numbers: [kinds.concurrency, limit.limit, limit.leaseMilliseconds * microseconds],
        capacity: limit.limit,
        windowMilliseconds: 0,
      };
  }
};

const windowed = (kind: number, limit: number, milliseconds: number): Shape => ({
  numbers: [kind, limit, milliseconds * microseconds],
  capacity: limit,
  windowMilliseconds: milliseconds,
});

/** Its share of the last window is a product of count and time: the tick is as fine as that stays exact. */
const counted = (limit: number, milliseconds: number): Shape => {
  const { capacity, windowMilliseconds } = windowed(kinds.counter, limit, milliseconds);
  const tick = ticks.find((one) => ((limit * milliseconds * microseconds) / one) * 2 <= largest);
  if (tick === undefined) throw new Error(`a limit of ${limit} in ${milliseconds} ms is too large to count exactly`);
  return { numbers: [kinds.counter, limit, (milliseconds * microseconds) / tick, tick], capacity, windowMilliseconds };
};

/** Throws where the limit is too large to count exactly. */
export const capacityOf = (limit: Limit): number => shapeOf(limit).capacity;

export const compile = (limit: Limit, strictness: Strictness = 'hard'): Compiled => {
  const { numbers, capacity, windowMilliseconds } = shapeOf(limit);
  const windowSeconds = Math.ceil(windowMilliseconds / 1_000);
  const id = idOf(limit.name);
  return {
    id,
    packed: pack(numbers, strictness, id),
    isApart: limit.algorithm === 'sliding-log' || limit.algorithm === 'concurrency',
    capacity,
    windowSeconds,
    source: limit,
    strictness,
  };
};
