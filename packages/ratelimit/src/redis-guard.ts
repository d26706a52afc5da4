/** Asks a store only while it is well, and waits for it no longer than is bearable. */
import { type BreakerFigures, type BreakerOptions, breakerDefaults, openBreaker } from './breaker';
import { openDeadlines, TooSlow } from './deadlines';
import { openLoopClock } from './loop-clock';
import type { RedisClient } from './redis-client';

export interface GuardOptions {
  /** Later than that is no answer. */
  readonly answerMilliseconds: number;
  /** How long the first questions wait for the first connection, unless it fails. */
  readonly startMilliseconds: number;
  readonly breaker?: Partial<BreakerOptions>;
}

type Connection = Pick<RedisClient, 'isReady' | 'onReady' | 'onAway'>;

/**
 * Before the first connection, or the first that fails, there is nothing that could be known of the store; afterwards nobody waits for
 * one.
 */
const openStart = (client: Connection, milliseconds: number): (() => Promise<void> | undefined) => {
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

const reasonOf = (error: unknown): string => {
  if (error instanceof TooSlow) return 'too-slow';
  const [code = ''] = error instanceof Error ? error.message.split(' ', 1) : [];
  return /^[A-Z]{3,}$/.test(code) ? code : 'failed';
};

type Ask = <A>(work: () => Promise<A>) => Promise<A | undefined>;

export interface Guarded {
  /** What gives up by itself. */
  readonly ask: Ask;
  /** Tells what came of the work after it was given up. */
  readonly askInTime: <A>(work: () => Promise<A>, late?: (answer: A) => void) => Promise<A | undefined>;
  readonly figures: () => BreakerFigures;
}

/** So many turns of a busy event loop are not yet a slow store. */
const turnsPerSlow = 10;

export const guarded = (client: Connection, options: GuardOptions): Guarded => {
  const milliseconds = options.answerMilliseconds;
  const deadlines = openDeadlines(milliseconds);
  const bounds = { ...breakerDefaults, slowMilliseconds: milliseconds / 2, ...options.breaker };
  const breaker = openBreaker(bounds);
  const clock = openLoopClock(bounds.slowMilliseconds / turnsPerSlow);
  const starting = openStart(client, options.startMilliseconds);
  client.onReady(breaker.reconnected);
  const ask: Ask = async (work) => {
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
      breaker.failed(ticket, reasonOf(error), performance.now());
      return undefined;
    }
  };
  return { ask, askInTime: (work, late) => ask(() => deadlines.within(work(), late)), figures: breaker.figures };
};
