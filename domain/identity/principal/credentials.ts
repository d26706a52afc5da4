/** Credentials of principals: issued within the caller's authority, revoked for good. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { isForbidden, isTooLong } from '../credential-policy/decider';
import type { CredentialPolicy } from '../credential-policy/events';
import { type CredentialId, principalTypeNames } from '../ids';
import { distinctScopes, type Scope } from '../scopes';
import { checkHeldAuthority } from './authority-check';
import type { PrincipalEvent } from './events';
import { liveCredentials, type RegisteredPrincipal } from './state';
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
  readonly expiresAt: Instant;
  readonly policy: CredentialPolicy;
  /** The caller. */
  readonly by: string;
  /** The caller's scopes, which bound the credential's. */
  readonly held: readonly string[];
}

export interface RevokeCredential {
  readonly type: 'RevokeCredential';
  readonly principalId: PrincipalId;
  readonly credentialId: CredentialId;
  readonly reason: string;
}

export type CredentialRejection =
  | 'credential-differs'
  | 'credential-forbidden'
  | 'credential-of-another'
  | 'credential-too-long'
  | 'credential-unknown'
  | 'principal-compromised'
  | 'principal-suspended'
  | 'scope-not-held'
  | 'scopes-missing'
  | 'too-many-credentials';

type Decision = Either<Rejection<CredentialRejection>, readonly PrincipalEvent[]>;
const maxLiveCredentials = 20;

export const credentialIssued = (command: NewCredential, expiresAt: Instant): PrincipalEvent => {
  const { principalId, credentialId, secretHash, scopes, at } = command;
  const data = { principalId, credentialId, secretHash, scopes: distinctScopes(scopes), createdAt: at, expiresAt };
  return { type: 'CredentialIssued', data };
};

/** A credential allows acting as its principal, so the caller needs all of the principal's authority; for a person only the person may. */
const checkCallerAuthority = (
  command: IssueCredential,
  state: RegisteredPrincipal,
): Either<Rejection<CredentialRejection>, never> | undefined =>
  command.by !== command.principalId && state.principalType === 'HUMAN'
    ? reject('credential-of-another', 'A credential of a person is made by that person only.')
    : checkHeldAuthority(command, state);

const checkPolicy = (
  { policy, at: createdAt, expiresAt }: IssueCredential,
  { principalType }: RegisteredPrincipal,
): Either<Rejection<CredentialRejection>, never> | undefined => {
  const life = { createdAt, expiresAt };
  if (isForbidden(policy, principalType, life))
    return reject(
      'credential-forbidden',
      `The tenant lets a credential of this type of principal (${principalTypeNames[principalType]}) last an hour at most.`,
    );
  return isTooLong(policy, life)
    ? reject('credential-too-long', `The tenant's credentials last ${policy.maximumSeconds} seconds at most.`)
    : undefined;
};

export const issueCredential = (command: IssueCredential, state: RegisteredPrincipal): Decision => {
  const existing = state.credentials.get(command.credentialId);
  if (existing !== undefined)
    return existing.secretHash === command.secretHash
      ? right([])
      : reject('credential-differs', 'A credential with this id exists with another secret.');
  if (state.status === 'COMPROMISED') return compromised();
  if (state.status === 'SUSPENDED') return reject('principal-suspended', 'A suspended principal gets no credential.');
  const outside = checkPolicy(command, state);
  if (outside !== undefined) return outside;
  if (command.scopes.length === 0) return reject('scopes-missing', 'A credential needs at least one scope.');
  const no = checkCallerAuthority(command, state);
  if (no !== undefined) return no;
  if (liveCredentials(state, command.at).length >= maxLiveCredentials)
    return reject(
      'too-many-credentials',
      `A principal has at most ${maxLiveCredentials} live credentials: revoke one.`,
    );
  return right([credentialIssued(command, command.expiresAt)]);
};

export const revokeCredential = (
  { principalId, credentialId, reason }: RevokeCredential,
  state: RegisteredPrincipal,
): Decision => {
  const existing = state.credentials.get(credentialId);
  if (existing === undefined) return reject('credential-unknown', 'The principal has no such credential.');
  return right(existing.revoked ? [] : [{ type: 'CredentialRevoked', data: { principalId, credentialId, reason } }]);
};
