/** Which limits of a request lie together on a cluster, and what their answers come to together. */
import type { Asked, Decided, LimitState, Mode } from './asked';

export interface Part {
  readonly tag: string;
  /** Which of the limits that were asked for. */
  readonly indexes: readonly number[];
}

/** As the cluster reads keys: what is between the first brace and the next, if that is anything. */
export const tagOf = (key: string): string => {
  const start = key.indexOf('{') + 1;
  const end = key.indexOf('}', start);
  return start > 0 && end > start ? key.slice(start, end) : key;
};

const partsOf = (asked: readonly Asked[]): readonly Part[] => {
  const parts = new Map<string, number[]>();
  asked.forEach(({ key }, index) => {
    const tag = tagOf(key);
    const part = parts.get(tag);
    if (part === undefined) parts.set(tag, [index]);
    else part.push(index);
  });
  return [...parts].map(([tag, indexes]) => ({ tag, indexes }));
};

/** The reservation's own part last: it is there once everything else is taken. */
export const partsFor = (mode: Mode, asked: readonly Asked[]): readonly Part[] => {
  const parts = partsOf(asked);
  if (typeof mode === 'string') return parts;
  const own = tagOf(mode.reservation);
  const { indexes = [] } = parts.find(({ tag }) => tag === own) ?? {};
  return [...parts.filter(({ tag }) => tag !== own), { tag: own, indexes }];
};

export const picked = (asked: readonly Asked[], { indexes }: Part): readonly Asked[] =>
  indexes.flatMap((index) => asked[index] ?? []);

const unknown: LimitState = { over: false, remaining: 0, resetMicroseconds: 0, waitMicroseconds: 0 };

export const merged = (parts: readonly Part[], decided: readonly Decided[]): Decided => {
  const limits: LimitState[] = [];
  parts.forEach(({ indexes }, at) => {
    indexes.forEach((index, place) => {
      limits[index] = decided[at]?.limits[place] ?? unknown;
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
