/** A limit as the script takes it: whole numbers that a double holds exactly, packed once. */

import { hashOf } from './dimensions';
import type { LeakyBucket, Limit, Strictness, TokenBucket } from './limit';

export interface CompiledLimit {
  /** Tells it from the other limits of its callers; of its name alone. */
  readonly id: string;
  /** One byte each of kind and strictness, then five doubles (little-endian), then its id. */
  readonly packed: Buffer;
  /** It has a key of its own for each caller: more is kept of it than a few numbers. */
  readonly hasOwnKey: boolean;
  /** More than that at once is never admitted; what remains is of that. */
  readonly capacity: number;
  /** In which that much comes back; 0 where it does not by itself. */
  readonly windowSeconds: number;
  /** For who counts without the script. */
  readonly source: Limit;
  readonly strictness: Strictness;
}

/** A double holds every whole number below 2^53; a half of that leaves room for a debt of the same size. */
const maxExact = 2 ** 52;
const microsecondsPerMillisecond = 1_000;

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);

interface BucketUnits {
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
const chooseUnits = (limit: number, periodMilliseconds: number, tokens: number): BucketUnits => {
  for (const tickMicroseconds of ticks) {
    const period = (periodMilliseconds * microsecondsPerMillisecond) / tickMicroseconds;
    const divisor = greatestCommonDivisor(limit, period);
    const [token, rate] = [period / divisor, limit / divisor];
    if (token * tokens <= maxExact) return { token, rate, tickMicroseconds };
  }
  throw new Error(
    `a limit of ${limit} in ${periodMilliseconds} ms with room for ${tokens} is too large to count exactly`,
  );
};

const bucketNumbers = (kind: number, { token, rate, tickMicroseconds }: BucketUnits, tokens: number): LimitNumbers => [
  kind,
  token * tokens,
  token,
  rate,
  tickMicroseconds,
];

interface LimitShape {
  readonly numbers: LimitNumbers;
  readonly capacity: number;
  readonly windowMilliseconds: number;
}

/** A bucket may hold more or less than comes back in its period. */
const bucketShape = (
  numbers: LimitNumbers,
  { limit, periodMilliseconds }: LeakyBucket | TokenBucket,
  capacity: number,
): LimitShape => ({
  numbers,
  capacity,
  windowMilliseconds: (capacity * periodMilliseconds) / limit,
});

/** Those that wait at the longest, and the one whose turn it is. */
const queueCapacity = (limit: number, periodMilliseconds: number, longestWaitMilliseconds: number): number =>
  1 + Math.floor((limit * longestWaitMilliseconds) / periodMilliseconds);

const shapeOf = (limit: Limit): LimitShape => {
  switch (limit.algorithm) {
    case 'token-bucket': {
      const units = chooseUnits(limit.limit, limit.periodMilliseconds, limit.burst);
      return bucketShape(bucketNumbers(kinds.bucket, units, limit.burst), limit, limit.burst);
    }
    case 'leaky-bucket': {
      const tokens = queueCapacity(limit.limit, limit.periodMilliseconds, limit.longestWaitMilliseconds);
      const units = chooseUnits(limit.limit, limit.periodMilliseconds, tokens);
      return bucketShape(bucketNumbers(kinds.queue, units, tokens), limit, tokens);
    }
    case 'fixed-window':
      return windowShape(kinds.window, limit.limit, limit.periodMilliseconds);
    case 'sliding-log':
      return windowShape(kinds.log, limit.limit, limit.periodMilliseconds);
    case 'sliding-counter':
      return counterShape(limit.limit, limit.periodMilliseconds);
    case 'quota': {
      const { startsAt, endsAt } = limit;
      const numbers: LimitNumbers = [
        kinds.quota,
        limit.limit,
        startsAt * microsecondsPerMillisecond,
        endsAt * microsecondsPerMillisecond,
      ];
      return { numbers, capacity: limit.limit, windowMilliseconds: endsAt - startsAt };
    }
    case 'concurrency':
      return {
        numbers: [kinds.concurrency, limit.limit, limit.leaseMilliseconds * microsecondsPerMillisecond],
        capacity: limit.limit,
        windowMilliseconds: 0,
      };
  }
};

const windowShape = (kind: number, limit: number, milliseconds: number): LimitShape => ({
  numbers: [kind, limit, milliseconds * microsecondsPerMillisecond],
  capacity: limit,
  windowMilliseconds: milliseconds,
});

/** Its share of the last window is a product of count and time: the tick is as fine as that stays exact. */
const counterShape = (limit: number, milliseconds: number): LimitShape => {
  const { capacity, windowMilliseconds } = windowShape(kinds.counter, limit, milliseconds);
  const tick = ticks.find((one) => ((limit * milliseconds * microsecondsPerMillisecond) / one) * 2 <= maxExact);
  if (tick === undefined) throw new Error(`a limit of ${limit} in ${milliseconds} ms is too large to count exactly`);
  return {
    numbers: [kinds.counter, limit, (milliseconds * microsecondsPerMillisecond) / tick, tick],
    capacity,
    windowMilliseconds,
  };
};

/** Throws where the limit is too large to count exactly. */
export const capacityOf = (limit: Limit): number => shapeOf(limit).capacity;

export const compileLimit = (limit: Limit, strictness: Strictness = 'hard'): CompiledLimit => {
  const { numbers, capacity, windowMilliseconds } = shapeOf(limit);
  const windowSeconds = Math.ceil(windowMilliseconds / 1_000);
  const id = limitIdOf(limit.name);
  return {
    id,
    packed: packLimit(numbers, strictness, id),
    hasOwnKey: limit.algorithm === 'sliding-log' || limit.algorithm === 'concurrency',
    capacity,
    windowSeconds,
    source: limit,
    strictness,
  };
};

/** The bytes of a limit, as the script reads them. */

const kinds = { bucket: 1, queue: 2, window: 3, log: 4, counter: 5, quota: 6, concurrency: 7 } as const;
const idBytes = 8;
const packedBytes = 2 + 5 * 8 + idBytes;
const strictnesses: { readonly [name in Strictness]: number } = { hard: 0, soft: 1, watched: 2 };

export type LimitNumbers = readonly [kind: number, a: number, b?: number, c?: number, d?: number, e?: number];

/** 48 bits tell them apart. */
const limitIdOf = (name: string): string => hashOf([name]).slice(0, idBytes);

const packLimit = ([kind, ...numbers]: LimitNumbers, strictness: Strictness, id: string): Buffer => {
  const packed = Buffer.alloc(packedBytes);
  packed.writeUInt8(kind, 0);
  packed.writeUInt8(strictnesses[strictness], 1);
  numbers.forEach((number = 0, index) => {
    packed.writeDoubleLE(number, 2 + index * 8);
  });
  packed.write(id, packedBytes - idBytes, 'latin1');
  return packed;
};
