import type { Decided } from './asked';
import type { Candidate } from './candidates';
import { tagOf } from './tags';

/**
 * Where they lie apart, each place is asked after the other and gives back what a later one refuses: those that refuse most often go
 * first. Halved now and then, so that what counts is lately.
 */
export const openOrder = () => {
  const refusals = new Map<string, number>();
  const most = 1_000;
  const noted = (name: string): void => {
    const count = (refusals.get(name) ?? 0) + 1;
    refusals.set(name, count);
    if (count >= most) for (const [other, before] of refusals) refusals.set(other, before / 2);
  };
  const sorted = (candidates: readonly Candidate[]): readonly Candidate[] => {
    const [first] = candidates;
    if (first === undefined) return candidates;
    const { key } = first.asked;
    if (candidates.every(({ asked }) => asked.key === key || tagOf(asked.key) === tagOf(key))) return candidates;
    const weigh = ({ rule }: Candidate): number => refusals.get(rule.keyName) ?? 0;
    return [...candidates].sort((one, other) => weigh(other) - weigh(one));
  };
  const heard = (candidates: readonly Candidate[], { outcome, limits }: Decided): void => {
    if (outcome !== 'refused') return;
    candidates.forEach(({ rule }, index) => {
      if (rule.strictness === 'hard' && limits[index]?.over === true) noted(rule.keyName);
    });
  };
  return { sorted, heard };
};
