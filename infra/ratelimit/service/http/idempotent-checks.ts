/**
 * Checks with a request id: a retry gets the first answer and is not counted again. Denials took nothing, so a retry
 * after a denial is decided again.
 */

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { IdempotencyStore } from '../../../../packages/ratelimit/src/limit-store';
import type { LimitDecision } from './messages';

export interface IdempotencyKey {
  readonly name: string;
  /** How long retries get the same answer. */
  readonly milliseconds: number;
}

export type IdempotentCheck = (key: IdempotencyKey, decide: () => Promise<LimitDecision>) => Promise<LimitDecision>;

export interface IdempotentCheckOptions {
  /** Without it, or while it is unavailable, only this process recognises retries. */
  readonly answers?: IdempotencyStore | undefined;
  /** Answers that this process remembers; 10,000 by default. */
  readonly maxAnswers?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  /** Wait before checking again whether another process has decided. */
  readonly pause?: () => Promise<unknown>;
}

const defaultMaxAnswers = 10_000;
const pauseMilliseconds = 20;

/** Only decisions that charged something must not be repeated. */
const isCounted = ({ outcome, source }: LimitDecision): boolean => outcome !== 'deny' && source !== 'policy';

interface KnownAnswer {
  readonly answer: Promise<LimitDecision>;
  until: number;
}

/** Forgets the oldest answers, which the store still has. */
const createKnownAnswers = (maxAnswers: number, now: () => number) => {
  const known = new LRUCache<string, KnownAnswer>({ max: maxAnswers });
  return {
    get: (name: string): KnownAnswer | undefined => {
      const found = known.get(name);
      return found !== undefined && found.until > now() ? found : undefined;
    },
    put: (name: string, one: KnownAnswer): void => void known.set(name, one),
    forget: (name: string, one: KnownAnswer): void => {
      if (known.get(name) === one) known.delete(name);
    },
  };
};

const createClaimedDecide = ({
  answers,
  pause = () => sleep(pauseMilliseconds),
}: IdempotentCheckOptions): IdempotentCheck => {
  const decideOnce = async (
    { name, milliseconds }: IdempotencyKey,
    decide: () => Promise<LimitDecision>,
  ): Promise<LimitDecision> => {
    const ownedKey = { name, by: randomUUID() };
    for (;;) {
      const claimed = await answers?.claim(name, ownedKey.by);
      if (typeof claimed === 'object') return JSON.parse(claimed.answer) as LimitDecision;
      if (claimed !== 'others') break;
      await pause();
    }
    try {
      const decision = await decide();
      if (isCounted(decision)) await answers?.complete(ownedKey, JSON.stringify(decision), milliseconds);
      else await answers?.release(ownedKey);
      return decision;
    } catch (error) {
      await answers?.release(ownedKey);
      throw error;
    }
  };
  return decideOnce;
};

export const createIdempotentCheck = (options: IdempotentCheckOptions = {}): IdempotentCheck => {
  const { maxAnswers = defaultMaxAnswers, now = () => performance.now() } = options;
  const known = createKnownAnswers(maxAnswers, now);
  const decideOnce = createClaimedDecide(options);
  return (key, decide) => {
    const before = known.get(key.name);
    if (before !== undefined) return before.answer;
    const one: KnownAnswer = { answer: decideOnce(key, decide), until: Number.POSITIVE_INFINITY };
    known.put(key.name, one);
    one.answer.then(
      (decision) => {
        if (isCounted(decision)) one.until = now() + key.milliseconds;
        else known.forget(key.name, one);
      },
      () => known.forget(key.name, one),
    );
    return one.answer;
  };
};
