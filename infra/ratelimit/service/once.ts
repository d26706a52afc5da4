/**
 * Requests that may be asked again under one name: what passed is counted once, and said again as it was said first. A denial took
 * nothing, so that whoever asks again after it is decided about anew.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KeptAnswers } from '../../../packages/ratelimit/src/limit-store';
import type { LimitDecision } from './wire';

export interface Named {
  readonly name: string;
  /** For so long the answer is the same. */
  readonly milliseconds: number;
}

export type Once = (asked: Named, decide: () => Promise<LimitDecision>) => Promise<LimitDecision>;

export interface OnceOptions {
  /** Undefined, or while it cannot be asked: only this process knows what it has answered. */
  readonly answers?: KeptAnswers | undefined;
  /** Of answers that this process knows itself; 10,000 when left out. */
  readonly most?: number;
  /** Milliseconds that never go backward. */
  readonly now?: () => number;
  /** Until it is looked again whether somebody else has decided. */
  readonly pause?: () => Promise<unknown>;
}

const mostHere = 10_000;
const pauseMilliseconds = 20;

/** Of what nothing was taken, nothing would be taken twice. */
const isCounted = ({ outcome, source }: LimitDecision): boolean => outcome !== 'deny' && source !== 'policy';

interface Known {
  readonly answer: Promise<LimitDecision>;
  until: number;
}

/** The oldest are let go of: then the store still knows. */
const openKnown = (most: number, now: () => number) => {
  const known = new Map<string, Known>();
  return {
    get: (name: string): Known | undefined => {
      const found = known.get(name);
      return found !== undefined && found.until > now() ? found : undefined;
    },
    put: (name: string, one: Known): void => {
      const [oldest] = known.keys();
      if (known.size >= most && oldest !== undefined) known.delete(oldest);
      known.set(name, one);
    },
    forget: (name: string, one: Known): void => {
      if (known.get(name) === one) known.delete(name);
    },
  };
};

const deciding = ({ answers, pause = () => sleep(pauseMilliseconds) }: OnceOptions): Once => {
  const decided = async (
    { name, milliseconds }: Named,
    decide: () => Promise<LimitDecision>,
  ): Promise<LimitDecision> => {
    const claim = { name, by: randomUUID() };
    for (;;) {
      const claimed = await answers?.claim(name, claim.by);
      if (typeof claimed === 'object') return JSON.parse(claimed.answer) as LimitDecision;
      if (claimed !== 'others') break;
      await pause();
    }
    try {
      const decision = await decide();
      if (isCounted(decision)) await answers?.keep(claim, JSON.stringify(decision), milliseconds);
      else await answers?.drop(claim);
      return decision;
    } catch (error) {
      await answers?.drop(claim);
      throw error;
    }
  };
  return decided;
};

export const openOnce = (options: OnceOptions = {}): Once => {
  const { most = mostHere, now = () => performance.now() } = options;
  const known = openKnown(most, now);
  const decided = deciding(options);
  return (asked, decide) => {
    const before = known.get(asked.name);
    if (before !== undefined) return before.answer;
    const one: Known = { answer: decided(asked, decide), until: Number.POSITIVE_INFINITY };
    known.put(asked.name, one);
    one.answer.then(
      (decision) => {
        if (isCounted(decision)) one.until = now() + asked.milliseconds;
        else known.forget(asked.name, one);
      },
      () => known.forget(asked.name, one),
    );
    return one.answer;
  };
};
