/** Attempts within sliding windows, counted exactly in the limiter's store, across processes. */
import { randomUUID } from 'node:crypto';
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import {
  type CompiledLimit,
  compileLimit,
  keyOf,
  type LimitCharge,
  type LimitStore,
  newReservationId,
  openRedisStore,
  reservationKey,
  type StoreDecision,
} from '../../../../packages/ratelimit/src/limit-store';
import type { AttemptKey, AttemptLimiter } from '../../../ports/identity/attempt-limiter';
import { redisAt } from '../../../server/runtime/redis-address';
import { type LimitStatus, tightestLimit } from './tightest-limit';

/** Longer than an attempt takes to succeed or fail. */
const reservedMilliseconds = 120_000;
/** Waits longer than other calls, because a failure blocks sign-in. */
const answerMilliseconds = 1_000;

const unknown = left(fault('service-unavailable', 'Attempts cannot be checked right now.'));

const compiling = (): ((limit: AttemptKey) => CompiledLimit) => {
  const known = new Map<string, CompiledLimit>();
  return ({ most, milliseconds }) => {
    const numbers = `${most}/${milliseconds}`;
    const limit = { algorithm: 'sliding-log', limit: most, periodMilliseconds: milliseconds } as const;
    const compiled = known.get(numbers) ?? compileLimit({ name: 'attempts', ...limit });
    known.set(numbers, compiled);
    return compiled;
  };
};

const seconds = (microseconds: number): number => Math.ceil(microseconds / 1_000_000);

const statusOf = (tries: readonly AttemptKey[], { outcome, limits }: StoreDecision): LimitStatus =>
  tightestLimit(
    limits.map(({ over, remaining, resetMicroseconds, waitMicroseconds }, index) => ({
      limit: tries[index]?.most ?? 0,
      remaining,
      resetSeconds: seconds(resetMicroseconds),
      retryAfterSeconds: outcome !== 'admitted' && over ? Math.max(1, seconds(waitMicroseconds)) : 0,
    })),
  );

const nothing = async (): Promise<void> => undefined;

const storedAttempts = (store: Pick<LimitStore, 'decide' | 'settle' | 'close'>): AttemptLimiter => {
  const limitOf = compiling();
  const chargeOf = (one: AttemptKey): LimitCharge => ({
    key: keyOf(['key'], { key: one.name }),
    limit: limitOf(one),
    cost: 1,
  });
  return {
    take: async (tries) => {
      const charges = tries.map(chargeOf);
      const reservation = reservationKey(newReservationId(charges[0]?.key ?? '')) ?? '';
      const mode = { reservation, milliseconds: reservedMilliseconds, context: '' };
      const decision = await store.decide(mode, randomUUID(), charges);
      if (decision === undefined) return unknown;
      const actual = charges.map(() => 0);
      // A failed refund does no harm: the attempt leaves the sliding window.
      const refund = async (): Promise<void> => void (await store.settle({ reservation, actual, final: true }));
      return right({ ...statusOf(tries, decision), refund: decision.outcome === 'admitted' ? refund : nothing });
    },
    close: store.close,
  };
};

export const openRedisAttemptLimiter = (url: string): AttemptLimiter =>
  storedAttempts(openRedisStore({ ...redisAt(url), answerMilliseconds }));
