/** Limit store in Redis or Valkey, a server or a cluster. Calls return within a bound; undefined means unavailable. */

import { createOrphanQueue, orphanScript } from '../reservations/orphan-queue';
import { createCallerStore } from '../store/caller-store';
import type { ChargeMode, StoreDecision } from '../store/limit-charge';
import type { LimitStore } from '../store/limit-store';
import { createContextCall, createSettleCall } from '../store/limit-store';
import type { BreakerMetrics, BreakerOptions } from './circuit-breaker';
import { createCrossSlotScripts, type Scripts } from './cross-slot-decision';
import { readStoreHealth, type StoreHealth, type StoreWarning } from './eviction-health';
import { type GuardedClient, guardClient } from './guarded-client';
import { hashTagOf } from './hash-tags';
import { createIdempotencyStore, type IdempotencyStore, idempotencyScript } from './idempotency-store';
import { openRedisClient, type RedisClient, type RedisConnection } from './redis-client';
import { createRequestBatcher } from './request-batcher';
import { callerScript } from './scripts/block-and-reset';
import { decideScript } from './scripts/decide';
import { settleScript } from './scripts/settle';

export type RedisStoreOptions = RedisConnection & {
  /** Timeout of a call; 50 by default. */
  readonly answerMilliseconds?: number;
  /** How long the first calls wait for the first connection attempt; 2,000 by default. */
  readonly startMilliseconds?: number;
  readonly breaker?: Partial<BreakerOptions>;
  /** Called at every connection with problems of the server. */
  readonly onWarning?: (warning: StoreWarning) => void;
};

export interface RedisStore extends LimitStore {
  readonly breakerMetrics: () => BreakerMetrics;
  /** Queries the server, for monitoring. */
  readonly health: () => Promise<StoreHealth>;
  /** Answers of requests with an idempotency key. */
  readonly answers: IdempotencyStore;
}

const defaultAnswerMilliseconds = 50;
const defaultStartMilliseconds = 2_000;

/** The caller timed out and will not settle: refund the reservation. */
const createLateRefund =
  (settle: Scripts['settle']) =>
  (mode: ChargeMode, { outcome, limits }: StoreDecision): void => {
    if (typeof mode === 'string' || outcome !== 'admitted') return;
    settle({ reservation: mode.reservation, actual: limits.map(() => 0), final: true }).catch(() => undefined);
  };

const createStoreScripts = (client: RedisClient, maxWaitMilliseconds: number): Scripts => {
  const settleScriptRun = client.script(settleScript());
  const settle = createSettleCall(settleScriptRun);
  const perSlot = client.isCluster ? { slotOf: hashTagOf } : {};
  return {
    decide: createRequestBatcher(client.byteScript(decideScript()), {
      ...perSlot,
      maxWaitMilliseconds,
      onLate: createLateRefund(settle),
    }),
    settle,
    context: createContextCall(settleScriptRun),
  };
};

/** A single script has its own timeout; several scripts in a row share one. */
const createDecide = (
  { call, callWithTimeout }: GuardedClient,
  scripts: Scripts,
  isCluster: boolean,
): LimitStore['decide'] => {
  if (!isCluster) return (mode, id, charges) => call(() => scripts.decide(mode, id, charges));
  const refundLate = createLateRefund(scripts.settle);
  return (mode, id, charges) =>
    callWithTimeout(
      () => scripts.decide(mode, id, charges),
      (decided) => refundLate(mode, decided),
    );
};

const reportWarnings = ({ redis, isReady, onReady }: RedisClient, onWarning: (warning: StoreWarning) => void): void => {
  const report = async (): Promise<void> => (await readStoreHealth(redis)).warnings.forEach(onWarning);
  onReady(() => void report());
  if (isReady()) void report();
};

export const openRedisStore = (options: RedisStoreOptions): RedisStore => {
  const { answerMilliseconds = defaultAnswerMilliseconds, startMilliseconds = defaultStartMilliseconds } = options;
  const client = openRedisClient(options);
  const guard = guardClient(client, { ...options, answerMilliseconds, startMilliseconds });
  const ownScripts = createStoreScripts(client, answerMilliseconds);
  const scripts = client.isCluster ? createCrossSlotScripts(ownScripts) : ownScripts;
  if (options.onWarning !== undefined) reportWarnings(client, options.onWarning);
  const [runOrphanScript, runIdempotencyScript] = [client.script(orphanScript()), client.script(idempotencyScript)];
  const runCallerScript = client.script(callerScript());
  return {
    decide: createDecide(guard, scripts, client.isCluster),
    settle: (settleScriptRun) => guard.callWithTimeout(() => scripts.settle(settleScriptRun)),
    context: (reservation) => guard.callWithTimeout(() => scripts.context(reservation)),
    callers: createCallerStore((keys, values) => guard.callWithTimeout(() => runCallerScript(keys, values))),
    orphans: createOrphanQueue((keys, values) => guard.callWithTimeout(() => runOrphanScript(keys, values))),
    answers: createIdempotencyStore((keys, values) => guard.callWithTimeout(() => runIdempotencyScript(keys, values))),
    breakerMetrics: guard.breakerMetrics,
    health: () => readStoreHealth(client.redis),
    close: client.close,
  };
};
