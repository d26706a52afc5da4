/** Credentials that a principal proves itself with: given by who holds what they allow, and revoked for good. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import { type Rejection, reject } from '../../kernel/rejection';
import type { CredentialId, PrincipalId } from '../principal-id';
import { distinct, missing, type Scope } from '../scopes';
import type { PrincipalEvent } from './events';
import { isLive, type Registered } from './state';
import { compromised } from './status';

export interface NewCredential {
  readonly principalId: PrincipalId;
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly at: Instant;
}

export interface IssueCredential extends NewCredential {
  readonly type: 'IssueCredential';
  readonly expiresAt: Instant | null;
  /** Scopes of the caller: nobody hands out what they do not hold. */
  readonly grantable: readonly string[];
}

export interface RevokeCredential {
  readonly type: 'RevokeCredential';
  readonly principalId: PrincipalId;
  readonly credentialId: CredentialId;
  readonly reason: string;
}

export type CredentialRejection =
  | 'credential-differs'
  | 'credential-unknown'
  | 'principal-compromised'
  | 'principal-suspended'
  | 'scope-not-held'
  | 'scopes-missing'
  | 'too-many-credentials';

type Decision = Either<Rejection<CredentialRejection>, readonly PrincipalEvent[]>;
const liveCredentials = 20;

export const credentialIssued = (command: NewCredential, expiresAt: Instant | null): PrincipalEvent => {
  const { principalId, credentialId, secretHash, scopes, at } = command;
  const data = { principalId, credentialId, secretHash, scopes: distinct(scopes), createdAt: at, expiresAt };
  return { type: 'CredentialIssued', data };
};

export const issue = (command: IssueCredential, state: Registered): Decision => {
  const known = state.credentials.get(command.credentialId);
  if (known !== undefined)
    return known.secretHash === command.secretHash
      ? right([])
      : reject('credential-differs', 'A credential of this id exists with another secret.');
  if (state.status === 'COMPROMISED') return compromised();
  if (state.status === 'SUSPENDED') return reject('principal-suspended', 'A suspended principal gets no credential.');
  if (command.scopes.length === 0) return reject('scopes-missing', 'A credential needs at least one scope.');
  if (missing(command.scopes, command.grantable).length > 0)
    return reject('scope-not-held', 'Only scopes that the caller holds can be given.');
  if ([...state.credentials.values()].filter((one) => isLive(one, command.at)).length >= liveCredentials)
    return reject('too-many-credentials', `A principal has at most ${liveCredentials} live credentials: revoke one.`);
  return right([credentialIssued(command, command.expiresAt)]);
};

export const revoke = ({ principalId, credentialId, reason }: RevokeCredential, state: Registered): Decision => {
  const known = state.credentials.get(credentialId);
  if (known === undefined) return reject('credential-unknown', 'The principal has no such credential.');
  return right(known.revoked ? [] : [{ type: 'CredentialRevoked', data: { principalId, credentialId, reason } }]);
};
