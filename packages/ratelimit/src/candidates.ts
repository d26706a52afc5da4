/** The limits that a request meets: each with its key, what it costs of it, and how that is to be settled. */

import type { Asked } from './asked';
import type { Compiled } from './compiled';
import { type CostModel, costOf, saysWeight } from './cost';
import type { Weight } from './decision';
import { type Dimension, type Dimensions, keyOf, quotaKeyOf } from './dimensions';
import type { CompiledRule } from './rules';
import type { QuotaPeriod } from './store';

export interface Candidate {
  readonly rule: CompiledRule;
  readonly limit: Compiled;
  readonly model: CostModel;
  readonly quota?: QuotaPeriod;
  readonly asked: Asked;
}

export interface TooLarge {
  readonly rule: CompiledRule;
  readonly cost: number;
  readonly capacity: number;
}

export interface Caller {
  readonly dimensions: Dimensions;
  readonly weight: Weight;
  readonly timeZone: string;
  readonly now: number;
  /** What costs nothing now may cost something in the end. */
  readonly isReserved: boolean;
}

/** Routes and models may be free. */
const isFree = ({ unit, each, factor }: CostModel): boolean =>
  unit === 'concurrent-requests' || each === 0 || factor === 0;

type Keys = (by: readonly Dimension[]) => string;

/** Rules that follow each other often count by the same. */
const keysOf = ({ dimensions }: Caller): Keys => {
  let last: readonly Dimension[] | undefined;
  let key = '';
  return (by) => {
    if (by !== last) [last, key] = [by, keyOf(by, dimensions)];
    return key;
  };
};

/**
 * Undefined: it is not about this request after all, for it costs nothing. A limit of what the request does not weigh is asked at no cost:
 * it refuses only while something is owed, and says what is left.
 */
const candidateOf = (rule: CompiledRule, caller: Caller, keys: Keys): Candidate | TooLarge | undefined => {
  const { dimensions, weight, timeZone, now, isReserved } = caller;
  const model = rule.modelOf(dimensions);
  const { cost, least } = costOf(model, weight);
  if (cost === 0 && (isFree(model) || (!isReserved && saysWeight(model.unit, weight)))) return undefined;
  const { compiled: limit, period } = rule.limitAt(now, timeZone);
  const { capacity } = limit;
  if (least > capacity && rule.strictness === 'hard') return { rule, cost: least, capacity };
  const key = keys(rule.by);
  const asked = { key, limit, cost: Math.max(least, Math.min(cost, capacity)) };
  if (period === undefined) return { rule, limit, model, asked };
  return {
    rule,
    limit,
    model,
    quota: { key: quotaKeyOf(key, limit.id), tenant: dimensions.tenant ?? '', ...period },
    asked,
  };
};

/** The one that never holds what this costs, where there is one; else all of them. */
export const candidatesOf = (rules: readonly CompiledRule[], caller: Caller): TooLarge | readonly Candidate[] => {
  const candidates: Candidate[] = [];
  const keys = keysOf(caller);
  for (const rule of rules) {
    const found = candidateOf(rule, caller, keys);
    if (found === undefined) continue;
    if ('capacity' in found) return found;
    candidates.push(found);
  }
  return candidates;
};
