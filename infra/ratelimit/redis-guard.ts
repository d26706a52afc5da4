/** Asks a store only while it is well, and waits for it no longer than is bearable. */
import { type BreakerFigures, type BreakerOptions, breakerDefaults, openBreaker } from './breaker';
import { openDeadlines, TooSlow } from './deadlines';
import type { RedisClient } from './redis-client';

export interface GuardOptions {
  /** Later than that is no answer. */
  readonly answerMilliseconds: number;
  /** How long the first questions wait for the first connection. */
  readonly startMilliseconds: number;
  readonly breaker?: Partial<BreakerOptions>;
}

/** Before the first connection there is nothing that could be known of the store; afterwards nobody waits for one. */
const openStart = (client: RedisClient, milliseconds: number): (() => Promise<void> | undefined) => {
  let starting: Promise<void> | undefined = new Promise<void>((resolve) => {
    if (client.isReady()) return resolve();
    const timer = setTimeout(resolve, milliseconds);
    client.onReady(() => {
      clearTimeout(timer);
      resolve();
    });
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

export const guarded = (client: RedisClient, options: GuardOptions): Guarded => {
  const milliseconds = options.answerMilliseconds;
  const deadlines = openDeadlines(milliseconds);
  const breaker = openBreaker({ ...breakerDefaults, slowMilliseconds: milliseconds / 2, ...options.breaker });
  const starting = openStart(client, options.startMilliseconds);
  client.onReady(breaker.reconnected);
  const ask: Ask = async (work) => {
    const first = starting();
    if (first !== undefined) await first;
    const began = performance.now();
    const ticket = breaker.admit(began);
    if (ticket === undefined) return undefined;
    try {
      if (!client.isReady()) throw new Error('AWAY');
      const answer = await work();
      const now = performance.now();
      breaker.answered(ticket, now - began, now);
      return answer;
    } catch (error) {
      breaker.failed(ticket, reasonOf(error), performance.now());
      return undefined;
    }
  };
  return { ask, askInTime: (work, late) => ask(() => deadlines.within(work(), late)), figures: breaker.figures };
};
