/**
 * Scopes of registered APIs that a caller can pass on, besides those of its token: all, with `apis:write`; in the console, whose tokens have
 * Septet's own scopes only, those of the person.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { consoleApplication } from '../../../domain/identity/client/built-in-clients';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { problemOf } from '../../../infra/server/http/problem';
import type { BoundRoute, Identity } from '../../../infra/server/http/routing/route';
import type { StreamSource } from '../../kernel/load-stream';
import { parseApplicationClientId } from '../clients/client-id';
import { loadPrincipal } from '../principals/load-principal';
import { apiScopesOf, loadApiRegistry } from './load-registry';

type Loaded<Value> = Promise<Either<EventStoreFault, Value>>;

const isConsole = ({ clientId = '' }: Identity): boolean =>
  parseApplicationClientId(clientId)?.applicationId === consoleApplication;

const loadOwnScopes = async (
  source: StreamSource,
  { tenantId, principalId }: { readonly tenantId: TenantId; readonly principalId: string },
): Loaded<readonly string[]> => {
  if (!PrincipalId.is(principalId)) return right([]);
  const found = await loadPrincipal(source, { tenantId, principalId });
  if (isLeft(found)) return found;
  return right(found.right.kind === 'registered' ? found.right.scopes : []);
};

const loadHeldScopes = async (source: StreamSource, identity: Identity): Loaded<readonly string[]> => {
  const { tenantId, principalId, scopes } = identity;
  const isWriter = scopes.includes('apis:write');
  if (!TenantId.is(tenantId) || (!isWriter && !isConsole(identity))) return right(scopes);
  const registry = await loadApiRegistry(source, tenantId);
  if (isLeft(registry)) return registry;
  const known: readonly string[] = apiScopesOf(registry.right);
  if (known.length === 0) return right(scopes);
  const own = isWriter ? right(known) : await loadOwnScopes(source, { tenantId, principalId });
  if (isLeft(own)) return own;
  return right([...new Set([...scopes, ...own.right.filter((scope) => known.includes(scope))])]);
};

/** The route, for callers with all scopes that they can pass on. */
export const withHeldScopes = (source: StreamSource, route: BoundRoute): BoundRoute => {
  if (route.access === 'public') return route;
  return {
    ...route,
    handle: async (request) => {
      const held = await loadHeldScopes(source, request.identity);
      if (isLeft(held)) return problemOf(held.left, {});
      return route.handle({ ...request, identity: { ...request.identity, scopes: held.right } });
    },
  };
};
