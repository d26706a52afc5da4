/** Who enforces a policy must still be able to take it back: the routes of the policy, as the gateway would decide them. */
import type { PolicyDocument } from './document';
import { compilePolicy, missingAuthentication } from './evaluator';
import type { PolicyRequest } from './request';

/** What does not depend on the route. */
export type PolicyCaller = Omit<PolicyRequest, 'method' | 'segments' | 'routeGroup' | 'operation' | 'scopes'>;

type PolicyRoute = Pick<PolicyRequest, 'method' | 'operation' | 'scopes' | 'routeGroup'> & { readonly path: string };

/** What is needed to see the policy, to enforce another version, and to turn it off. A test holds the list to the routes. */
export const policyRoutes: readonly PolicyRoute[] = [
  {
    method: 'GET',
    path: '/v1/policy/versions',
    operation: 'listAccessPolicyVersions',
    scopes: ['security:read'],
    routeGroup: 'read',
  },
  {
    method: 'POST',
    path: '/v1/policy/versions/1/enforce',
    operation: 'enforceAccessPolicy',
    scopes: ['tenant:write'],
    routeGroup: 'danger',
  },
  {
    method: 'POST',
    path: '/v1/policy/off',
    operation: 'turnOffAccessPolicy',
    scopes: ['tenant:write'],
    routeGroup: 'danger',
  },
];

/** Undefined: the caller keeps all of them. */
export const refusedPolicyRoute = (document: PolicyDocument, caller: PolicyCaller): string | undefined => {
  const policy = compilePolicy(document);
  for (const { path, ...route } of policyRoutes) {
    const request: PolicyRequest = { ...caller, ...route, segments: path.slice(1).split('/') };
    const { effect, ruleId, requires } = policy.decide(request);
    const by = ruleId === null ? 'covers the route, and no rule allows it to you' : `has the rule ${ruleId}`;
    if (effect !== 'ALLOW')
      return `You could not call ${route.method} ${path} afterwards: the version ${by} (${effect}).`;
    if (missingAuthentication(requires, request) !== undefined)
      return `You could not call ${route.method} ${path} now: a rule requires a newer or stronger sign-in than yours. Sign in again first.`;
  }
  return undefined;
};
