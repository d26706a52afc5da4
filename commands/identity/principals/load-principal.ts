/** Loads a principal from its stream: decisions must not rest on a read model. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import type { PrincipalState } from '../../../domain/identity/principal/state';
import { grantedScopes, hasConsoleRights } from '../../../domain/identity/scopes';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import type { PrincipalClientName } from '../clients/client-id';
import { apiScopesOf, loadApiRegistry } from '../protected-apis/load-registry';

/** Whether the principal may use the console. */
export const mayUseConsole = (state: PrincipalState): boolean =>
  state.kind === 'registered' && hasConsoleRights(grantedScopes(state.roles, state.scopes));

export type PrincipalSource = StreamSource;

/** The role of administrators has all scopes, those of registered APIs with them. */
const withApiScopes = async (
  source: StreamSource,
  { tenantId }: Pick<PrincipalClientName, 'tenantId'>,
  state: PrincipalState,
): Promise<Either<EventStoreFault, PrincipalState>> => {
  if (state.kind === 'none' || !state.roles.includes('admin')) return right(state);
  const registry = await loadApiRegistry(source, tenantId);
  if (isLeft(registry)) return registry;
  const known = apiScopesOf(registry.right);
  return right(known.length === 0 ? state : { ...state, scopes: [...new Set([...state.scopes, ...known])] });
};

export const loadPrincipal = async (
  source: PrincipalSource,
  { tenantId, principalId }: PrincipalClientName,
): Promise<Either<EventStoreFault, PrincipalState>> => {
  const found = await loadStream(source, principal, principalStream(tenantId, principalId));
  return isLeft(found) ? found : withApiScopes(source, { tenantId }, found.right);
};
