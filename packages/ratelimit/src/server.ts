/** `@septet/ratelimit/server`: for servers that limit on behalf of others: groups of routes, headers, labels of metrics, plans. */
export { decisionLabels, labelsOf } from './decision-labels';
export { normalised } from './dimensions';
export { estimateSourceOf } from './estimate-source';
export { degradeOf, limitHeaderNames } from './headers';
export { onlyWatched, withRules } from './policy';
export { otherRoutes, routeGroups } from './route-groups';
export { plansOf } from './rules';
