import { hashTagOf } from '../redis/hash-tags';
import type { StoreDecision } from '../store/limit-charge';
import type { ApplicableLimit } from './applicable-limits';

/**
 * Orders limits in several hash slots: slots are charged one after the other and refunded when a later one denies, so
 * the limits that deny most often go first. Counts are halved from time to time, so that recent denials weigh more.
 */
export const createEvaluationOrder = () => {
  const refusals = new Map<string, number>();
  const maxRefusals = 1_000;
  const countRefusal = (name: string): void => {
    const count = (refusals.get(name) ?? 0) + 1;
    refusals.set(name, count);
    if (count >= maxRefusals) for (const [other, before] of refusals) refusals.set(other, before / 2);
  };
  const sorted = (applicable: readonly ApplicableLimit[]): readonly ApplicableLimit[] => {
    const [first] = applicable;
    if (first === undefined) return applicable;
    const { key } = first.charge;
    if (applicable.every(({ charge }) => charge.key === key || hashTagOf(charge.key) === hashTagOf(key)))
      return applicable;
    const weigh = ({ rule }: ApplicableLimit): number => refusals.get(rule.keyName) ?? 0;
    return [...applicable].sort((one, other) => weigh(other) - weigh(one));
  };
  const observe = (applicable: readonly ApplicableLimit[], { outcome, limits }: StoreDecision): void => {
    if (outcome !== 'refused') return;
    applicable.forEach(({ rule }, index) => {
      if (rule.strictness === 'hard' && limits[index]?.over === true) countRefusal(rule.keyName);
    });
  };
  return { sorted, observe };
};
