/**
 * `@septet/ratelimit/server`: for servers that limit on behalf of others: route groups, headers, metric labels, plans.
 */

export { indexPolicyOrThrow, openLimiter } from './decision/limiter';
export { decisionLabels, estimateSourceOf, labelsOf } from './decision/metric-labels';
export { degradeOf, limitHeaderNames } from './http/rate-limit-headers';
export { plansOf } from './policy/compile-policy';
export { normaliseDimension } from './policy/dimensions';
export { type Entries, UnreadableEntry } from './policy/entries';
export { strictnessOf } from './policy/group-strictness';
export { type IndexedPolicy, indexPolicy, type PolicyLists } from './policy/parse-policy';
export { countOnly, mapRules, type PolicySource } from './policy/policy';
export { createRouteGroups, otherRoutes } from './policy/route-groups';
export { runInSlices } from './policy/time-slices';
