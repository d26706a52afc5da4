/** Service clients: applications that act as a pipeline or an agent (`client_credentials`). The principal's stream records them with their scopes. */
import { type Either, right } from 'fp-ts/Either';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ApplicationId } from '../ids';
import { distinctScopes, missingScopes, type Scope } from '../scopes';
import { checkHeldAuthority } from './authority-check';
import type { PrincipalEvent } from './events';
import type { RegisteredPrincipal } from './state';
import { compromised } from './status';

export interface AuthorizeServiceClient {
  readonly type: 'AuthorizeServiceClient';
  readonly principalId: PrincipalId;
  readonly applicationId: ApplicationId;
  /** Of the application. */
  readonly scopes: readonly Scope[];
  /** The caller. */
  readonly by: string;
  /** The caller's scopes. */
  readonly held: readonly string[];
}

export type ServiceClientRejection =
  | 'principal-compromised'
  | 'principal-suspended'
  | 'scope-not-held'
  | 'service-principal-human';

type ServiceClientAct = Pick<AuthorizeServiceClient, 'principalId' | 'scopes' | 'by' | 'held'>;

/** Whether the caller may have control of an application that acts as the principal. */
export const checkServiceClient = (
  act: ServiceClientAct,
  state: RegisteredPrincipal,
): Either<Rejection<ServiceClientRejection>, never> | undefined => {
  if (state.principalType === 'HUMAN')
    return reject(
      'service-principal-human',
      'An application cannot act as a person: servicePrincipalId names a pipeline or an agent.',
    );
  if (state.status === 'COMPROMISED') return compromised();
  if (state.status === 'SUSPENDED')
    return reject('principal-suspended', 'An application cannot act as a suspended principal.');
  return checkHeldAuthority(act, state);
};

/**
 * The controller of a service client acts as its principal, so the caller needs all of the principal's authority, as for a credential. Scopes
 * are only added here; `WithdrawAuthority` removes them.
 */
export const authorizeServiceClient = (
  command: AuthorizeServiceClient,
  state: RegisteredPrincipal,
): Either<Rejection<ServiceClientRejection>, readonly PrincipalEvent[]> => {
  const refused = checkServiceClient(command, state);
  if (refused !== undefined) return refused;
  const { principalId, applicationId } = command;
  const authorized = state.serviceClients.get(applicationId);
  if (authorized !== undefined && missingScopes(command.scopes, authorized).length === 0) return right([]);
  const scopes = distinctScopes([...(authorized ?? []), ...command.scopes]);
  return right([{ type: 'ServiceClientAuthorized', data: { principalId, applicationId, scopes } }]);
};
