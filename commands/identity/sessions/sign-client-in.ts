/** Records in a session that a client signed in, where the client is notified of the session's end. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Application } from '../../../domain/identity/client/state';
import type { ClientId, SessionId } from '../../../domain/identity/ids';
import { type SessionRejection, session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps, Refusal } from '../../kernel/handle-request';

export interface ClientSignIn {
  readonly tenantId: TenantId;
  readonly sessionId: SessionId;
  readonly clientId: ClientId;
  readonly application: Pick<Application, 'backchannelLogoutUri'>;
  readonly requestId: string;
}

export const signClientIn = async (
  deps: HandleDeps,
  { tenantId, sessionId, clientId, application, requestId }: ClientSignIn,
): Promise<Either<Refusal<SessionRejection>, void>> => {
  if (application.backchannelLogoutUri === null) return right(undefined);
  const recorded = await handle(deps, session, {
    stream: sessionStream(tenantId, sessionId),
    command: { type: 'SignClientIn', sessionId, clientId },
    commandId: derivedId('sign-client-in', tenantId, sessionId, clientId),
    fingerprint: ['sign-client-in', sessionId, clientId],
    tenant: tenantId,
    actor: clientId,
    correlationId: requestId,
  });
  return isLeft(recorded) ? recorded : right(undefined);
};
