/** Refusals by rate limits in words, and how many there were over time. */
import type { RateLimitRefusals } from '../../../packages/client/src/schemas';

const reasons: Readonly<Record<string, string>> = {
  limited: 'Over the limit',
  blocked: 'Blocked',
  'too-large': 'Costs more than the whole limit',
  'store-unavailable': 'Could not be counted',
};

export const reasonOf = ({ reason }: Pick<RateLimitRefusals, 'reason'>): string => reasons[reason] ?? reason;

type Counted = Pick<RateLimitRefusals, 'at' | 'refusals' | 'rules'>;

/** By rule, the most first. A refusal by two rules counts for both. */
export const refusalsByRule = (items: readonly Counted[]): readonly (readonly [rule: string, refusals: number])[] => {
  const counts = new Map<string, number>();
  for (const { rules, refusals } of items)
    for (const rule of rules) counts.set(rule, (counts.get(rule) ?? 0) + refusals);
  return [...counts].toSorted((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
};

interface RefusalsOverTime {
  /** Milliseconds since 1970. */
  readonly from: number;
  readonly stepSeconds: number;
  readonly values: readonly (number | null)[];
}

const stepSeconds = 60;
const steps = 60;

/**
 * Refusals by the minute of the last hour. `isWhole`: there are no earlier refusals than these; else minutes before the earliest are not
 * known.
 */
export const refusalsByMinute = (
  items: readonly Counted[],
  { now, isWhole }: { readonly now: number; readonly isWhole: boolean },
): RefusalsOverTime => {
  const step = stepSeconds * 1_000;
  const from = (Math.floor(now / step) - steps + 1) * step;
  const earliest = Math.min(...items.map(({ at }) => Date.parse(at)));
  const knownFrom = isWhole ? 0 : Math.floor((earliest - from) / step) + 1;
  const values = Array.from({ length: steps }, (_, index): number | null => (index < knownFrom ? null : 0));
  for (const { at, refusals } of items) {
    const index = Math.floor((Date.parse(at) - from) / step);
    const before = values[index];
    if (before !== undefined && before !== null) values[index] = before + refusals;
  }
  return { from, stepSeconds, values };
};
