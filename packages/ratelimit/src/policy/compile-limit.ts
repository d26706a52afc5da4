/** Compiles a limit for the scripts: integers that a double holds exactly, packed once. */

import { hashOf } from './dimensions';
import type { LeakyBucket, Limit, Strictness, TokenBucket } from './limit';

export interface CompiledLimit {
  /** Distinguishes the limits of a caller; derived from the name. */
  readonly id: string;
  /** Kind and strictness (one byte each), five doubles (little-endian), id. */
  readonly packed: Buffer;
  /** It has its own key per caller, because its state is more than a few numbers. */
  readonly hasOwnKey: boolean;
  /** Maximum at once; `remaining` counts down from it. */
  readonly capacity: number;
  /** Time in which the capacity refills; 0 if it does not by itself. */
  readonly windowSeconds: number;
  /** The source limit, for the local fallback. */
  readonly source: Limit;
  readonly strictness: Strictness;
}

/** Doubles are exact below 2^53; half of it leaves room for an equal debt. */
const maxExact = 2 ** 52;
const microsecondsPerMillisecond = 1_000;

const greatestCommonDivisor = (one: number, other: number): number =>
  other === 0 ? one : greatestCommonDivisor(other, one % other);

interface BucketUnits {
  /** Units per token. */
  readonly token: number;
  /** Units drained per tick. */
  readonly rate: number;
  readonly tickMicroseconds: number;
}

const ticks = [1, 10, 100, 1_000];

/**
 * Chooses units so that a whole number of them drains per tick, without fractions or drift, and the finest tick whose
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

/** A bucket's capacity may differ from its refill per period. */
const bucketShape = (
  numbers: LimitNumbers,
  { limit, periodMilliseconds }: LeakyBucket | TokenBucket,
  capacity: number,
): LimitShape => ({
  numbers,
  capacity,
  windowMilliseconds: (capacity * periodMilliseconds) / limit,
});

/** The requests that may wait, and the one being served. */
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

/** The share of the previous window is count times time; the tick is as fine as that product stays exact. */
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

/** Throws if the limit is too large to count exactly. */
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

const kinds = { bucket: 1, queue: 2, window: 3, log: 4, counter: 5, quota: 6, concurrency: 7 } as const;
const idBytes = 8;
const packedBytes = 2 + 5 * 8 + idBytes;
const strictnesses: { readonly [name in Strictness]: number } = { hard: 0, soft: 1, watched: 2 };

export type LimitNumbers = readonly [kind: number, a: number, b?: number, c?: number, d?: number, e?: number];

/** 48 bits are enough to distinguish the limits of a policy. */
const limitIdOf = (name: string): string => hashOf([name]).slice(0, idBytes);

const packLimit = (numbers: LimitNumbers, strictness: Strictness, id: string): Buffer => {
  const [kind, ...parameters] = numbers;
  const packed = Buffer.alloc(packedBytes);
  packed.writeUInt8(kind, 0);
  packed.writeUInt8(strictnesses[strictness], 1);
  parameters.forEach((number = 0, index) => {
    packed.writeDoubleLE(number, 2 + index * 8);
  });
  packed.write(id, packedBytes - idBytes, 'latin1');
  return packed;
};
