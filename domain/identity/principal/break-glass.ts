/** Break-glass: restores an administrator with the machine and its master key. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import { type Rejection, reject } from '../../kernel/rejection';
import { credentialIssued, type NewCredential } from './credentials';
import type { PrincipalEvent } from './events';
import type { RegisteredPrincipal } from './state';
import { raiseEpoch } from './status';

export interface RecoverAdministrator extends NewCredential {
  readonly type: 'RecoverAdministrator';
  readonly expiresAt: Instant;
  readonly reason: string;
}

/** Ends all existing tokens and credentials and issues a new credential. */
export const recoverAdministrator = (
  command: RecoverAdministrator,
  state: RegisteredPrincipal,
): Either<Rejection<'role-for-people'>, readonly PrincipalEvent[]> => {
  if (state.principalType !== 'HUMAN') return reject('role-for-people', 'Only a person is an administrator.');
  const { principalId, reason, expiresAt } = command;
  return right([
    { type: 'AdministratorRecovered', data: { principalId, reason } },
    ...raiseEpoch(command, state, { grants: 'ended' }),
    credentialIssued(command, expiresAt),
  ]);
};
