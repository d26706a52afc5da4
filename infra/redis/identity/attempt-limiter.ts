/** Attempts within sliding windows, counted exactly in the limiter's store, across processes. */
import { randomUUID } from 'node:crypto';
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
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
} from '../../../packages/ratelimit/src/limit-store';
import type { AttemptKey, AttemptLimiter } from '../../ports/identity/attempt-limiter';
import { type Said, tightestLimit } from './tightest-limit';

/** Longer than it takes to see whether a try succeeds. */
const reservedMilliseconds = 120_000;
/** Waits longer than other calls, because a failure blocks sign-in. */
const answerMilliseconds = 1_000;

const unknown = left(fault('service-unavailable', 'Attempts cannot be counted right now.'));

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

const shown = (tries: readonly AttemptKey[], { outcome, limits }: StoreDecision): Said =>
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
  const askedOf = (one: AttemptKey): LimitCharge => ({
    key: keyOf(['key'], { key: one.name }),
    limit: limitOf(one),
    cost: 1,
  });
  return {
    take: async (tries) => {
      const asked = tries.map(askedOf);
      const reservation = reservationKey(newReservationId(asked[0]?.key ?? '')) ?? '';
      const mode = { reservation, milliseconds: reservedMilliseconds, context: '' };
      const decided = await store.decide(mode, randomUUID(), asked);
      if (decided === undefined) return unknown;
      const actual = asked.map(() => 0);
      // Where it stays counted that is no harm: the window slides.
      const refund = async (): Promise<void> => void (await store.settle({ reservation, actual, final: true }));
      return right({ ...shown(tries, decided), refund: decided.outcome === 'admitted' ? refund : nothing });
    },
    close: store.close,
  };
};

export const openRedisAttemptLimiter = (url: string): AttemptLimiter =>
  storedAttempts(openRedisStore({ url, answerMilliseconds }));
