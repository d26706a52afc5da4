/** The limits that apply to a request: key, cost, and what settling them needs. */

import type { CompiledLimit } from '../policy/compile-limit';
import type { CompiledRule } from '../policy/compile-policy';
import { type Dimension, type Dimensions, keyOf, quotaKeyOf } from '../policy/dimensions';
import type { LimitCharge } from '../store/limit-charge';
import type { QuotaPeriod } from '../store/limit-store';
import type { Weight } from './decision';
import { type CostModel, costOf, hasWeightFor } from './request-cost';

export interface ApplicableLimit {
  readonly rule: CompiledRule;
  readonly limit: CompiledLimit;
  readonly model: CostModel;
  readonly quota?: QuotaPeriod;
  readonly charge: LimitCharge;
}

export interface CostTooLarge {
  readonly rule: CompiledRule;
  readonly cost: number;
  readonly capacity: number;
}

export interface CostedRequest {
  readonly dimensions: Dimensions;
  readonly weight: Weight;
  readonly timeZone: string;
  readonly now: number;
  /** A reservation without cost may cost something when it is settled. */
  readonly isReserved: boolean;
}

/** Whether the policy makes this route or model free. */
const isFree = ({ unit, each, factor }: CostModel): boolean =>
  unit === 'concurrent-requests' || each === 0 || factor === 0;

type FindKey = (by: readonly Dimension[]) => string;

/** Consecutive rules often count by the same dimensions, so the last key is reused. */
const createKeyLookup = ({ dimensions }: CostedRequest): FindKey => {
  let last: readonly Dimension[] | undefined;
  let key = '';
  return (by) => {
    if (by !== last) [last, key] = [by, keyOf(by, dimensions)];
    return key;
  };
};

/**
 * Undefined if the request costs nothing of the limit. If the request does not weigh the limit's unit, the limit is
 * checked at no cost: it denies only while something is owed, and reports what is left.
 */
const evaluateRule = (
  rule: CompiledRule,
  request: CostedRequest,
  keys: FindKey,
): ApplicableLimit | CostTooLarge | undefined => {
  const { dimensions, weight, timeZone, now, isReserved } = request;
  const model = rule.modelOf(dimensions);
  const { cost, minCost } = costOf(model, weight);
  if (cost === 0 && (isFree(model) || (!isReserved && hasWeightFor(model.unit, weight)))) return undefined;
  const { compiled: limit, period } = rule.limitAt(now, timeZone);
  const { capacity } = limit;
  if (minCost > capacity && rule.strictness === 'hard') return { rule, cost: minCost, capacity };
  const key = keys(rule.by);
  const charge = { key, limit, cost: Math.max(minCost, Math.min(cost, capacity)) };
  if (period === undefined) return { rule, limit, model, charge };
  return {
    rule,
    limit,
    model,
    quota: { key: quotaKeyOf(key, limit.id), tenant: dimensions.tenant ?? '', ...period },
    charge,
  };
};

/** The first hard limit whose capacity is below the minimum cost, else all applicable limits. */
export const findApplicableLimits = (
  rules: readonly CompiledRule[],
  request: CostedRequest,
): CostTooLarge | readonly ApplicableLimit[] => {
  const limits: ApplicableLimit[] = [];
  const keys = createKeyLookup(request);
  for (const rule of rules) {
    const found = evaluateRule(rule, request, keys);
    if (found === undefined) continue;
    if ('capacity' in found) return found;
    limits.push(found);
  }
  return limits;
};
