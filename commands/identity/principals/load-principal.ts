/** Loads a principal from its stream: decisions must not rest on a read model. */
import type { Either } from 'fp-ts/Either';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import type { PrincipalState } from '../../../domain/identity/principal/state';
import { grantedScopes, hasConsoleRights } from '../../../domain/identity/scopes';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import type { PrincipalClientName } from '../clients/client-id';

/** Whether the principal may use the console. */
export const mayUseConsole = (state: PrincipalState): boolean =>
  state.kind === 'registered' && hasConsoleRights(grantedScopes(state.roles, state.scopes));

export type PrincipalSource = StreamSource;

export const loadPrincipal = (
  source: PrincipalSource,
  { tenantId, principalId }: PrincipalClientName,
): Promise<Either<EventStoreFault, PrincipalState>> =>
  loadStream(source, principal, principalStream(tenantId, principalId));
