/** Groups the limits of a request by hash slot, and merges the decisions per slot. */
import type { ChargeMode, LimitCharge, LimitState, StoreDecision } from '../store/limit-charge';

export interface SlotGroup {
  readonly tag: string;
  /** Indexes among the request's charges. */
  readonly indexes: readonly number[];
}

/** As the cluster parses keys: between the first brace and the next, if not empty. */
export const hashTagOf = (key: string): string => {
  const start = key.indexOf('{') + 1;
  const end = key.indexOf('}', start);
  return start > 0 && end > start ? key.slice(start, end) : key;
};

const slotGroupsOf = (charges: readonly LimitCharge[]): readonly SlotGroup[] => {
  const groups = new Map<string, number[]>();
  charges.forEach(({ key }, index) => {
    const tag = hashTagOf(key);
    const group = groups.get(tag);
    if (group === undefined) groups.set(tag, [index]);
    else group.push(index);
  });
  return [...groups].map(([tag, indexes]) => ({ tag, indexes }));
};

/** The reservation's slot last: it exists once everything else is charged. */
export const groupBySlot = (mode: ChargeMode, charges: readonly LimitCharge[]): readonly SlotGroup[] => {
  const groups = slotGroupsOf(charges);
  if (typeof mode === 'string') return groups;
  const own = hashTagOf(mode.reservation);
  const { indexes = [] } = groups.find(({ tag }) => tag === own) ?? {};
  return [...groups.filter(({ tag }) => tag !== own), { tag: own, indexes }];
};

export const chargesOf = (charges: readonly LimitCharge[], { indexes }: SlotGroup): readonly LimitCharge[] =>
  indexes.flatMap((index) => charges[index] ?? []);

const unknownState: LimitState = { over: false, remaining: 0, resetMicroseconds: 0, waitMicroseconds: 0 };

export const mergeDecisions = (groups: readonly SlotGroup[], decided: readonly StoreDecision[]): StoreDecision => {
  const limits: LimitState[] = [];
  groups.forEach(({ indexes }, at) => {
    indexes.forEach((index, inGroup) => {
      limits[index] = decided[at]?.limits[inGroup] ?? unknownState;
    });
  });
  const outcomes = decided.map(({ outcome }) => outcome);
  return {
    outcome: (['uncounted', 'refused'] as const).find((one) => outcomes.includes(one)) ?? 'admitted',
    at: Math.max(...decided.map(({ at }) => at)),
    turnMicroseconds: Math.max(...decided.map(({ turnMicroseconds }) => turnMicroseconds)),
    limits,
  };
};
