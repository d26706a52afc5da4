/** Route groups of rate limits. The first match counts, so narrow groups come first. */
import { contexts } from '../../../domain/contexts';
import type { LimitedRequests } from '../../../domain/kernel/context';
import type { Policy, RouteGroup } from '../../../packages/ratelimit/src/index';
import { createRouteGroups as groupsByPath, otherRoutes, strictnessOf } from '../../../packages/ratelimit/src/server';
import { routedContexts } from '../routing/destinations';

const declared = contexts.flatMap(({ limitGroups }) => limitGroups);

const routeGroupsBy = (by: LimitedRequests['by']): readonly RouteGroup[] =>
  declared
    .filter((group) => group.by === by)
    .map(({ name, methods, paths }) => ({
      name,
      ...(methods === undefined ? {} : { methods: [...methods] }),
      paths: [...paths],
    }));

/** Suffix of the groups for proven callers. */
export const provenSuffix = '-proven';
const provenGroups = declared.filter(({ provenApart }) => provenApart === true).map(({ name }) => name);

/** A rate limit policy knows whole segments only. */
const policyPath = (template: string): string => template.replaceAll(/[^/]*\{[^/]*/g, '*');

const pathsBy = (authenticatedBy: 'gateway' | 'service'): readonly string[] =>
  routedContexts
    .flatMap(({ destinations }) => destinations)
    .filter((destination) => (destination.authenticatedBy ?? 'gateway') === authenticatedBy)
    .flatMap(({ paths }) => paths.map(policyPath));

/** Outside `/v1`. */
const authenticatedPaths = pathsBy('gateway').filter((path) => !path.startsWith('/v1/'));

const publicGroups: readonly RouteGroup[] = [
  ...routeGroupsBy('strangers'),
  // Check requests name the group themselves: the paths belong to other services.
  { name: 'checked', paths: ['/ext-authz/**'] },
  { name: 'blob', paths: ['/blobs/**'] },
  // Without a group of their own: their services authenticate the callers.
  { name: 'service-authenticated', paths: [...pathsBy('service')] },
  // Failed requests before authentication. The failure limiter names the group; no request has this path.
  { name: 'refused', paths: ['/:refused'] },
  // The same groups for proven callers: unauthenticated callers at their address must not use up their limits.
  ...provenGroups.map((name) => ({ name: `${name}${provenSuffix}`, paths: [`/:${name}${provenSuffix}`] })),
];

/**
 * Routes that declare themselves dangerous: they grant authority or cannot be undone. Revoking authority is excluded: ending a stolen token
 * must never wait for a counter. No request has this path.
 */
const dangerPath = '/:danger';
const dangerGroup: RouteGroup = { name: 'danger', paths: [dangerPath] };

const authenticatedGroups: readonly RouteGroup[] = [
  dangerGroup,
  ...routeGroupsBy('callers'),
  { name: 'read', methods: ['GET'], paths: ['/v1/**', ...authenticatedPaths] },
  { name: 'command', paths: ['/v1/**', ...authenticatedPaths] },
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
 * When the policy contains `danger` unchanged, like the default one, a route declares its own group unless a configured group matches its
 * path. Otherwise paths alone decide.
 */
export const createLimitGroupOf = (policy: Policy): LimitGroupOf => {
  const { routeGroups: groups = [] } = policy;
  const byPath = groupsByPath(groups, strictnessOf(policy));
  const isOurs = groups.some(({ name, paths }) => name === dangerGroup.name && paths.includes(dangerPath));
  return ({ target, method, limitGroup }) => {
    const group = byPath(target, method);
    return isOurs && limitGroup !== undefined && builtInGroups.has(group) ? limitGroup : group;
  };
};

/** Served by the gateway, at the cost of a service call. */
export const isSessionPath = (target: string): boolean => /^\/console\/session(?:[/?]|$)/.test(target);

/** Documents that clients and resource servers need to verify tokens. */
export const isDiscoveryPath = (target: string): boolean => /^\/(?:oauth\/jwks(?:\?|$)|\.well-known\/)/.test(target);

/** Endpoints of OAuth, whose errors have a form of their own. */
export const isOAuthPath = (target: string): boolean => target.startsWith('/oauth/');

/** OAuth endpoints whose form may name the client. */
export const carriesClientId = (target: string): boolean =>
  /^\/oauth\/(?:token|introspect|revoke)(?:\?|$)/.test(target);

/** Endpoints whose success proves the client or its grant. Revocation succeeds always and is excluded. */
export const authenticatesClients = (target: string): boolean => /^\/oauth\/(?:token|introspect)(?:\?|$)/.test(target);
