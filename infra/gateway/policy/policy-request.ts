/** Describes a request and its verified caller to a policy. */
import type { IncomingMessage } from 'node:http';
import { pathSegments } from '../../../domain/identity/policy/paths';
import type { PolicyRequest } from '../../../domain/identity/policy/request';
import type { Identity } from '../../server/http/routing/route';
import { clientAddressOf, peerAddressOf } from '../authentication/client-address';
import { type RouteMatch, requiredScopesOf } from '../routing/route-table';

/** What a door knows of the action. */
export interface PolicyAction {
  readonly scopes: readonly string[];
  readonly routeGroup?: string | undefined;
  readonly operation?: string | undefined;
  /** Undefined: the gateway's own. */
  readonly audience?: string | undefined;
  /** Where it is not that of the request, as of a check request. */
  readonly target?: string;
  /** The path is of a service of others. */
  readonly isForeign?: boolean;
}

/** The address of a check request is the proxy's, unless the proxy is trusted to name the client's. */
const addressOf = (request: IncomingMessage, isForeign: boolean): string | undefined => {
  const address = clientAddressOf(request);
  return address === '' || (isForeign && address === peerAddressOf(request)) ? undefined : address;
};

export const routeAction = (match: RouteMatch): PolicyAction => {
  const scopes = requiredScopesOf(match);
  if (match.kind !== 'route') return { scopes };
  const { limitGroup: routeGroup, operation } = match.route;
  return { scopes, routeGroup, operation };
};

export const policyRequestOf = (
  request: IncomingMessage,
  identity: Identity,
  { action, audience, now }: { readonly action: PolicyAction; readonly audience: string; readonly now: number },
): PolicyRequest => {
  const { method = '', url = '' } = request;
  const { target = url, isForeign = false } = action;
  const { tenantId, principalId, principalType, clientId, authenticatedAt, delegation } = identity;
  return {
    ...{ tenantId, principalId, principalType, clientId, authenticatedAt, delegation },
    method: method === 'HEAD' ? 'GET' : method,
    segments: pathSegments(target, { isForeign }),
    routeGroup: action.routeGroup,
    operation: action.operation,
    scopes: action.scopes,
    audience: action.audience ?? audience,
    at: now,
    address: addressOf(request, isForeign),
    binding: identity.binding ?? 'none',
    authContext: identity.authContext ?? [],
    authenticationMethods: identity.methods ?? [],
    multiFactor: identity.multiFactor ?? false,
  };
};
