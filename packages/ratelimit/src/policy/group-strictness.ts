/** Orders route groups by how few requests a policy lets through, for targets that may belong to several. */
import { createMatcher } from './match-index';
import { costOrDefault, type PolicySource, type Rule, type RuleLimit } from './policy';

/** Requests per second, ascending, of all rules that restrict a group. */
type Rates = readonly number[];

const secondsOf = { day: 86_400, month: 30 * 86_400 } as const;

const perSecond = (limit: RuleLimit): number => {
  switch (limit.algorithm) {
    case 'quota':
      return limit.limit / secondsOf[limit.per];
    // As if each request took a second.
    case 'concurrency':
      return limit.limit;
    case 'token-bucket':
    case 'fixed-window':
    case 'sliding-log':
    case 'sliding-counter':
    case 'leaky-bucket':
      return (limit.limit * 1_000) / limit.periodMilliseconds;
  }
};

const countsRequests = ({ strictness, ...rule }: Rule): boolean => {
  const { unit } = costOrDefault(rule);
  return strictness !== 'watched' && (unit === 'requests' || unit === 'concurrent-requests');
};

const ratesOf = (rules: readonly Rule[], route: string): Rates =>
  rules
    .filter(({ when }) => when?.route === undefined || createMatcher({ route: when.route })({ route }))
    .map((rule) => perSecond(rule.limit) / Math.max(costOrDefault(rule).byRoute?.[route] ?? 1, Number.EPSILON))
    .sort((one, other) => one - other);

const compare = (one: Rates, other: Rates): number => {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const [mine, theirs] = [one[at] ?? Number.POSITIVE_INFINITY, other[at] ?? Number.POSITIVE_INFINITY];
    if (mine !== theirs) return mine - theirs;
  }
  return 0;
};

/** Negative: the first group is the stricter one. */
export type CompareGroups = (one: string, other: string) => number;

/** By the rules of defaults and plans. Groups are compared when a target is ambiguous, and then remembered: there are few. */
export const strictnessOf = ({ defaults, plans = {} }: Pick<PolicySource, 'defaults' | 'plans'>): CompareGroups => {
  const rules = [...defaults, ...Object.values(plans).flat()].filter(countsRequests);
  const known = new Map<string, Rates>();
  const rates = (group: string): Rates => {
    const found = known.get(group) ?? ratesOf(rules, group);
    known.set(group, found);
    return found;
  };
  return (one, other) => compare(rates(one), rates(other));
};
