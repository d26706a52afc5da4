/** Decisions as callers get them. */

import type { LimitState, StoreDecision } from '../store/limit-charge';
import type { ApplicableLimit, CostTooLarge } from './applicable-limits';
import type { Decision, LimitAnswer } from './decision';

const microsecondsPerSecond = 1_000_000;
const noMembers = {};

/** Up: whoever waits that long finds what was said. */
const toWholeSeconds = (time: number): number => Math.ceil(time / microsecondsPerSecond);

const uncountedDecision = { limits: [], retryAfterSeconds: 0, turnMilliseconds: 0, source: 'policy' } as const;

/** Nothing was to be counted, or nothing of it could be and the policy is open. */
export const allowed = (policyVersion: string): Decision => ({ outcome: 'allow', ...uncountedDecision, policyVersion });

export const blocked = (policyVersion: string, message: string | undefined): Decision => ({
  outcome: 'deny',
  reason: 'blocked',
  ...uncountedDecision,
  ...(message === undefined ? {} : { message }),
  policyVersion,
});

export const tooLarge = (policyVersion: string, { rule, cost, capacity }: CostTooLarge): Decision => ({
  outcome: 'deny',
  reason: 'too-large',
  ...uncountedDecision,
  message: `The request costs ${cost} ${rule.unit}, and no more than ${capacity} are ever admitted at once.`,
  policyVersion,
});

/** Nobody knows when the store is back; it is looked for that often. */
const storeRetrySeconds = 1;

export const unavailable = (policyVersion: string): Decision => ({
  outcome: 'deny',
  reason: 'store-unavailable',
  ...uncountedDecision,
  retryAfterSeconds: storeRetrySeconds,
  policyVersion,
});

interface LimitOutcome {
  readonly limit: ApplicableLimit;
  readonly state: LimitState;
}

const toLimitAnswer = ({ limit: { rule, limit }, state }: LimitOutcome): LimitAnswer => ({
  unit: rule.unit,
  limit: limit.capacity,
  remaining: state.remaining,
  resetSeconds: toWholeSeconds(state.resetMicroseconds),
  windowSeconds: limit.windowSeconds,
  over: state.over,
  watched: rule.strictness === 'watched',
  rule: rule.rule.name,
});

/** Those that refuse come first, then those that only degrade, then those that admit; what is only watched binds nobody. */
const rankOf = ({ limit: { rule }, state }: LimitOutcome): number => {
  if (rule.strictness === 'watched') return 3;
  if (!state.over) return 2;
  return rule.strictness === 'hard' ? 0 : 1;
};

/** Of all that it holds: a bucket may hold more than comes back in its period. */
const shareLeft = ({ limit: { limit }, state }: LimitOutcome): number => state.remaining / limit.capacity;

const byBinding = (one: LimitOutcome, other: LimitOutcome): number =>
  rankOf(one) - rankOf(other) ||
  other.state.waitMicroseconds - one.state.waitMicroseconds ||
  shareLeft(one) - shareLeft(other);

export interface CountedBy {
  readonly source: 'store' | 'local';
  readonly policyVersion: string;
  readonly reservationId?: string;
}

const sortByBinding = (decided: StoreDecision, limits: readonly ApplicableLimit[]): readonly LimitOutcome[] => {
  const outcomes: LimitOutcome[] = [];
  for (let index = 0; index < limits.length; index += 1) {
    const candidate = limits[index];
    const state = decided.limits[index];
    if (candidate !== undefined && state !== undefined) outcomes.push({ limit: candidate, state });
  }
  return outcomes.length > 1 ? outcomes.sort(byBinding) : outcomes;
};

const buildDenial = (outcomes: readonly LimitOutcome[], { source, policyVersion }: CountedBy): Decision => {
  const maxWait = outcomes.reduce((wait, one) => Math.max(wait, rankOf(one) === 0 ? one.state.waitMicroseconds : 0), 1);
  const retryAfterSeconds = toWholeSeconds(maxWait);
  const limits = outcomes.map(toLimitAnswer);
  return { outcome: 'deny', reason: 'limited', limits, retryAfterSeconds, turnMilliseconds: 0, policyVersion, source };
};

/** What was decided over the candidates, in their order. */
export const buildDecision = (
  decided: StoreDecision,
  limits: readonly ApplicableLimit[],
  source: CountedBy,
): Decision => {
  const outcomes = sortByBinding(decided, limits);
  if (decided.outcome !== 'admitted') return buildDenial(outcomes, source);
  const soft = outcomes.find((one) => rankOf(one) === 1);
  const hint = soft?.limit.rule.rule.hint;
  return {
    outcome: soft === undefined ? 'allow' : 'degrade',
    limits: outcomes.map(toLimitAnswer),
    retryAfterSeconds: 0,
    turnMilliseconds: Math.ceil(decided.turnMicroseconds / 1_000),
    ...(source.reservationId === undefined ? noMembers : { reservationId: source.reservationId }),
    ...(hint === undefined ? noMembers : { hint }),
    policyVersion: source.policyVersion,
    source: source.source,
  };
};
