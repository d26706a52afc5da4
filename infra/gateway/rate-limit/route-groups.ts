/** What requests are for, as limits see it. The first group that fits counts, so what is narrow stands before what is wide. */
import { contexts } from '../../../domain/contexts';
import type { LimitedRequests } from '../../../domain/kernel/context';
import type { Policy, RouteGroup } from '../../../packages/ratelimit/src/index';
import { createRouteGroups as groupsByPath, otherRoutes } from '../../../packages/ratelimit/src/server';

const declared = contexts.flatMap(({ limitGroups }) => limitGroups);

const routeGroupsBy = (by: LimitedRequests['by']): readonly RouteGroup[] =>
  declared
    .filter((group) => group.by === by)
    .map(({ name, methods, paths }) => ({
      name,
      ...(methods === undefined ? {} : { methods: [...methods] }),
      paths: [...paths],
    }));

/** Of a group for callers who have proved themselves before. */
export const provenSuffix = '-proven';
const provenGroups = declared.filter(({ provenApart }) => provenApart === true).map(({ name }) => name);

const publicGroups: readonly RouteGroup[] = [
  ...routeGroupsBy('strangers'),
  // Named where it is asked about: their paths are other services' own.
  { name: 'checked', paths: ['/ext-authz/**'] },
  { name: 'blob', paths: ['/blobs/**'] },
  // What failed before anybody was known, wherever it went: named where it is counted, and nothing lies at this path.
  { name: 'refused', paths: ['/:refused'] },
  // The same for callers whose credential was found good before: what strangers at their address do must not use theirs up.
  ...provenGroups.map((name) => ({ name: `${name}${provenSuffix}`, paths: [`/:${name}${provenSuffix}`] })),
];

/**
 * What gives authority away or cannot be undone, as routes say themselves; nothing lies at this path. Not what takes authority back: who
 * ends a stolen token must never be told to wait for a counter.
 */
const dangerPath = '/:danger';
const dangerGroup: RouteGroup = { name: 'danger', paths: [dangerPath] };

const authenticatedGroups: readonly RouteGroup[] = [
  dangerGroup,
  ...routeGroupsBy('callers'),
  { name: 'read', methods: ['GET'], paths: ['/v1/**'] },
  { name: 'command', paths: ['/v1/**'] },
];

export const routeGroups: readonly RouteGroup[] = [...publicGroups, ...authenticatedGroups];

export interface LimitedTarget {
  readonly target: string;
  readonly method: string;
  /** Of the route that was matched. */
  readonly limitGroup: string | undefined;
}

export type LimitGroupOf = (limited: LimitedTarget) => string;

const builtInGroups = new Set([...routeGroups.map(({ name }) => name), otherRoutes]);

/**
 * In a policy that has taken `danger` over as it is here, ours included, a route says its own group, unless one of the operator's fits its
 * path. In any other the groups are of paths alone.
 */
export const createLimitGroupOf = ({ routeGroups: groups = [] }: Policy): LimitGroupOf => {
  const byPath = groupsByPath(groups);
  const isOurs = groups.some(({ name, paths }) => name === dangerGroup.name && paths.includes(dangerPath));
  return ({ target, method, limitGroup }) => {
    const group = byPath(target, method);
    return isOurs && limitGroup !== undefined && builtInGroups.has(group) ? limitGroup : group;
  };
};

/** It is served here, and costs what a service does. */
export const isSessionPath = (target: string): boolean => /^\/console\/session(?:[/?]|$)/.test(target);

/** What everybody needs to check tokens, and to find out where to get them. */
export const isDiscoveryPath = (target: string): boolean => /^\/(?:oauth\/jwks(?:\?|$)|\.well-known\/)/.test(target);

/** What clients of OAuth ask for, who may say in the form who they are. */
export const carriesClientId = (target: string): boolean =>
  /^\/oauth\/(?:token|introspect|revoke)(?:\?|$)/.test(target);

/** Answers with success only who was authenticated there, or presented a grant of its own; a revocation is always a success. */
export const authenticatesClients = (target: string): boolean => /^\/oauth\/(?:token|introspect)(?:\?|$)/.test(target);
