/** Guards calls of the store with a circuit breaker and a timeout. */
import { type BreakerMetrics, type BreakerOptions, breakerDefaults, createCircuitBreaker } from './circuit-breaker';
import { createLoopClock } from './loop-clock';
import type { RedisClient } from './redis-client';
import { createTimeouts, ResponseTimeout } from './timeouts';

export interface GuardOptions {
  /** Timeout of a call. */
  readonly answerMilliseconds: number;
  /** How long the first calls wait for the first connection attempt. */
  readonly startMilliseconds: number;
  readonly breaker?: Partial<BreakerOptions>;
}

type GuardedConnection = Pick<RedisClient, 'isReady' | 'onReady' | 'onAway'>;

/** Calls wait only for the first connection attempt, whether it succeeds or fails. */
const createStartWait = (client: GuardedConnection, milliseconds: number): (() => Promise<void> | undefined) => {
  let starting: Promise<void> | undefined = new Promise<void>((resolve) => {
    if (client.isReady()) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    const known = (): void => {
      clearTimeout(timer);
      resolve();
    };
    client.onReady(known);
    client.onAway(known);
  }).then(() => {
    starting = undefined;
  });
  return () => starting;
};

const faultReason = (error: unknown): string => {
  if (error instanceof ResponseTimeout) return 'too-slow';
  const [code = ''] = error instanceof Error ? error.message.split(' ', 1) : [];
  return /^[A-Z]{3,}$/.test(code) ? code : 'failed';
};

type GuardedCall = <A>(work: () => Promise<A>) => Promise<A | undefined>;

export interface GuardedClient {
  /** For calls with a timeout of their own. */
  readonly call: GuardedCall;
  /** `late` receives a result that arrives after the timeout. */
  readonly callWithTimeout: <A>(work: () => Promise<A>, late?: (answer: A) => void) => Promise<A | undefined>;
  readonly breakerMetrics: () => BreakerMetrics;
}

/** Turns of a busy event loop that do not count as a slow store. */
const loopTurnsPerSlow = 10;

export const guardClient = (client: GuardedConnection, options: GuardOptions): GuardedClient => {
  const milliseconds = options.answerMilliseconds;
  const deadlines = createTimeouts(milliseconds);
  const bounds = { ...breakerDefaults, slowMilliseconds: milliseconds / 2, ...options.breaker };
  const breaker = createCircuitBreaker(bounds);
  const clock = createLoopClock(bounds.slowMilliseconds / loopTurnsPerSlow);
  const starting = createStartWait(client, options.startMilliseconds);
  client.onReady(breaker.reconnected);
  const call: GuardedCall = async (work) => {
    const first = starting();
    if (first !== undefined) await first;
    const ticket = breaker.admit(performance.now());
    if (ticket === undefined) return undefined;
    const took = clock.start();
    try {
      if (!client.isReady()) throw new Error('AWAY');
      const answer = await work();
      breaker.answered(ticket, took(), performance.now());
      return answer;
    } catch (error) {
      took();
      breaker.failed(ticket, faultReason(error), performance.now());
      return undefined;
    }
  };
  return {
    call,
    callWithTimeout: (work, late) => call(() => deadlines.within(work(), late)),
    breakerMetrics: breaker.metrics,
  };
};
