/** Decisions as callers get them. */

import type { Decided, LimitState } from './asked';
import type { Candidate, TooLarge } from './candidates';
import type { Decision, LimitAnswer } from './decision';

const microseconds = 1_000_000;
const noMembers = {};

/** Up: whoever waits that long finds what was said. */
const seconds = (time: number): number => Math.ceil(time / microseconds);

const plain = { limits: [], retryAfterSeconds: 0, turnMilliseconds: 0, source: 'policy' } as const;

/** Nothing was to be counted, or nothing of it could be and the policy is open. */
export const allowed = (policyVersion: string): Decision => ({ outcome: 'allow', ...plain, policyVersion });

export const blocked = (policyVersion: string, message: string | undefined): Decision => ({
  outcome: 'deny',
  reason: 'blocked',
  ...plain,
  ...(message === undefined ? {} : { message }),
  policyVersion,
});

export const tooLarge = (policyVersion: string, { rule, cost, capacity }: TooLarge): Decision => ({
  outcome: 'deny',
  reason: 'too-large',
  ...plain,
  message: `The request costs ${cost} ${rule.unit}, and no more than ${capacity} are ever admitted at once.`,
  policyVersion,
});

/** Nobody knows when the store is back; it is looked for that often. */
const storeRetrySeconds = 1;

export const unavailable = (policyVersion: string): Decision => ({
  outcome: 'deny',
  reason: 'store-unavailable',
  ...plain,
  retryAfterSeconds: storeRetrySeconds,
  policyVersion,
});

interface Met {
  readonly candidate: Candidate;
  readonly state: LimitState;
}

const answerOf = ({ candidate: { rule, limit }, state }: Met): LimitAnswer => ({
  unit: rule.unit,
  limit: limit.capacity,
  remaining: state.remaining,
  resetSeconds: seconds(state.resetMicroseconds),
  windowSeconds: limit.windowSeconds,
  over: state.over,
  watched: rule.strictness === 'watched',
  rule: rule.rule.name,
});

/** Those that refuse come first, then those that only degrade, then those that admit; what is only watched binds nobody. */
const rankOf = ({ candidate: { rule }, state }: Met): number => {
  if (rule.strictness === 'watched') return 3;
  if (!state.over) return 2;
  return rule.strictness === 'hard' ? 0 : 1;
};

/** Of all that it holds: a bucket may hold more than comes back in its period. */
const shareLeft = ({ candidate: { limit }, state }: Met): number => state.remaining / limit.capacity;

const byBinding = (one: Met, other: Met): number =>
  rankOf(one) - rankOf(other) ||
  other.state.waitMicroseconds - one.state.waitMicroseconds ||
  shareLeft(one) - shareLeft(other);

export interface CountedBy {
  readonly source: 'store' | 'local';
  readonly policyVersion: string;
  readonly reservationId?: string;
}

const bindingFirst = (decided: Decided, candidates: readonly Candidate[]): readonly Met[] => {
  const met: Met[] = [];
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index];
    const state = decided.limits[index];
    if (candidate !== undefined && state !== undefined) met.push({ candidate, state });
  }
  return met.length > 1 ? met.sort(byBinding) : met;
};

const denied = (met: readonly Met[], { source, policyVersion }: CountedBy): Decision => {
  const longest = met.reduce((wait, one) => Math.max(wait, rankOf(one) === 0 ? one.state.waitMicroseconds : 0), 1);
  const retryAfterSeconds = seconds(longest);
  const limits = met.map(answerOf);
  return { outcome: 'deny', reason: 'limited', limits, retryAfterSeconds, turnMilliseconds: 0, policyVersion, source };
};

/** What was decided over the candidates, in their order. */
export const answered = (decided: Decided, candidates: readonly Candidate[], by: CountedBy): Decision => {
  const met = bindingFirst(decided, candidates);
  if (decided.outcome !== 'admitted') return denied(met, by);
  const soft = met.find((one) => rankOf(one) === 1);
  const hint = soft?.candidate.rule.rule.hint;
  return {
    outcome: soft === undefined ? 'allow' : 'degrade',
    limits: met.map(answerOf),
    retryAfterSeconds: 0,
    turnMilliseconds: Math.ceil(decided.turnMicroseconds / 1_000),
    ...(by.reservationId === undefined ? noMembers : { reservationId: by.reservationId }),
    ...(hint === undefined ? noMembers : { hint }),
    policyVersion: by.policyVersion,
    source: by.source,
  };
};
