/** `@septet/ratelimit/server`: for servers that limit on behalf of others: groups of routes, headers, labels of metrics, plans. */
export { decisionLabels, labelsOf } from './decision-labels';
export { normalised } from './dimensions';
export { type Entries, UnreadableEntry } from './entries';
export { estimateSourceOf } from './estimate-source';
export { degradeOf, limitHeaderNames } from './headers';
export { indexedOrThrow, openLimiter } from './limiter';
export { onlyWatched, type PolicySource, withRules } from './policy';
export { type IndexedPolicy, indexPolicy, type WrittenLists } from './policy-codec';
export { otherRoutes, routeGroups } from './route-groups';
export { plansOf } from './rules';
export { inSlices } from './slices';
