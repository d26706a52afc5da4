/** Loads a principal from its stream: decisions must not rest on a read model. */
import type { Either } from 'fp-ts/Either';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import type { PrincipalState } from '../../../domain/identity/principal/state';
import { grantedScopes } from '../../../domain/identity/scopes';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import type { PrincipalClientName } from '../clients/client-id';

/** Whether the principal may do anything beyond its own account. */
export const hasConsoleRights = (state: PrincipalState): boolean =>
  state.kind === 'registered' && grantedScopes(state.roles, state.scopes).length > 0;

export type PrincipalSource = StreamSource;

export const loadPrincipal = (
  source: PrincipalSource,
  { tenantId, principalId }: PrincipalClientName,
): Promise<Either<EventStoreFault, PrincipalState>> =>
  loadStream(source, principal, principalStream(tenantId, principalId));
