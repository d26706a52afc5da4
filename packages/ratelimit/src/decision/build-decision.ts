/** Builds the decisions that callers receive. */

import type { LimitState, StoreDecision } from '../store/limit-charge';
import type { ApplicableLimit, CostTooLarge } from './applicable-limits';
import type { Decision, LimitStatus } from './decision';

const microsecondsPerSecond = 1_000_000;
const noMembers = {};

/** Rounded up, so that waiting this long is enough. */
const toWholeSeconds = (time: number): number => Math.ceil(time / microsecondsPerSecond);

const uncountedDecision = { limits: [], retryAfterSeconds: 0, turnMilliseconds: 0, source: 'policy' } as const;

/** No limit applies, or none could be counted and the policy fails open. */
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

/** Suggested retry time while the store is unavailable. */
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

const toLimitAnswer = ({ limit: { rule, limit }, state }: LimitOutcome): LimitStatus => ({
  unit: rule.unit,
  limit: limit.capacity,
  remaining: state.remaining,
  resetSeconds: toWholeSeconds(state.resetMicroseconds),
  windowSeconds: limit.windowSeconds,
  over: state.over,
  watched: rule.strictness === 'watched',
  rule: rule.rule.name,
});

/** Denying limits bind first, then degrading, then admitting ones; dry runs bind last. */
const rankOf = ({ limit: { rule }, state }: LimitOutcome): number => {
  if (rule.strictness === 'watched') return 3;
  if (!state.over) return 2;
  return rule.strictness === 'hard' ? 0 : 1;
};

/** Relative to the capacity, which may exceed what a period refills. */
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

/** Builds the decision from the store's answer; states and limits have the same order. */
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
