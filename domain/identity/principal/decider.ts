/** What may happen to a principal. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { TenantId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { CredentialId, PrincipalId, PrincipalType } from '../principal-id';
import { distinct, missing, type Scope } from '../scopes';
import { type PrincipalEvent, principals } from './events';
import { evolve, isLive, type PrincipalState, type Registered } from './state';

interface NewCredential {
  readonly principalId: PrincipalId;
  readonly credentialId: CredentialId;
  readonly secretHash: string;
  readonly scopes: readonly Scope[];
  readonly at: Instant;
}

export interface BootstrapAdmin extends NewCredential {
  readonly type: 'BootstrapAdmin';
  readonly tenantId: TenantId;
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

export interface RegisterPrincipal {
  readonly type: 'RegisterPrincipal';
  readonly principalId: PrincipalId;
  readonly tenantId: TenantId;
  readonly principalType: PrincipalType;
  readonly at: Instant;
}

export interface MovePrincipal {
  readonly type: 'SuspendPrincipal' | 'ReactivatePrincipal';
  readonly principalId: PrincipalId;
  readonly reason: string;
}

export type PrincipalCommand = BootstrapAdmin | RegisterPrincipal | MovePrincipal | IssueCredential | RevokeCredential;

export type PrincipalRejection =
  | 'already-bootstrapped'
  | 'credential-differs'
  | 'credential-unknown'
  | 'principal-compromised'
  | 'principal-differs'
  | 'principal-suspended'
  | 'principal-unknown'
  | 'scope-not-held'
  | 'scopes-missing'
  | 'too-many-credentials';

type Decision = Either<Rejection<PrincipalRejection>, readonly PrincipalEvent[]>;
const liveCredentials = 20;
const compromised = () => reject('principal-compromised', 'The principal is compromised; only recovery changes that.');

const register = ({ principalId, tenantId, principalType, at }: RegisterPrincipal, state: PrincipalState): Decision => {
  if (state.kind === 'registered')
    return state.principalType === principalType
      ? right([])
      : reject('principal-differs', 'A principal of this id is registered with another type.');
  return right([{ type: 'PrincipalRegistered', data: { principalId, tenantId, principalType, createdAt: at } }]);
};

const credentialIssued = (command: NewCredential, expiresAt: Instant | null): PrincipalEvent => {
  const { principalId, credentialId, secretHash, scopes, at } = command;
  const data = { principalId, credentialId, secretHash, scopes: distinct(scopes), createdAt: at, expiresAt };
  return { type: 'CredentialIssued', data };
};

const bootstrap = (command: BootstrapAdmin, state: PrincipalState): Decision => {
  if (state.kind === 'registered')
    return state.credentials.get(command.credentialId)?.secretHash === command.secretHash
      ? right([])
      : reject('already-bootstrapped', 'The one-time sign-in was used before.');
  const { principalId, tenantId, at: createdAt } = command;
  const data = { principalId, tenantId, principalType: 'HUMAN', createdAt } as const;
  return right([{ type: 'PrincipalRegistered', data }, credentialIssued(command, null)]);
};

/** Suspension also ends every living token: status and epoch move in one append. */
const move = ({ type, principalId, reason }: MovePrincipal, state: Registered): Decision => {
  if (state.status === 'COMPROMISED') return compromised();
  if (type === 'ReactivatePrincipal')
    return right(state.status === 'ACTIVE' ? [] : [{ type: 'PrincipalReactivated', data: { principalId, reason } }]);
  if (state.status === 'SUSPENDED') return right([]);
  const from = state.securityEpoch;
  return right([
    { type: 'PrincipalSuspended', data: { principalId, reason } },
    { type: 'SecurityEpochBumped', data: { principalId, from, to: from + 1, reason } },
  ]);
};

const issue = (command: IssueCredential, state: Registered): Decision => {
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

const revoke = ({ principalId, credentialId, reason }: RevokeCredential, state: Registered): Decision => {
  const known = state.credentials.get(credentialId);
  if (known === undefined) return reject('credential-unknown', 'The principal has no such credential.');
  return right(known.revoked ? [] : [{ type: 'CredentialRevoked', data: { principalId, credentialId, reason } }]);
};

const decide = (command: PrincipalCommand, state: PrincipalState): Decision => {
  if (command.type === 'BootstrapAdmin') return bootstrap(command, state);
  if (command.type === 'RegisterPrincipal') return register(command, state);
  if (state.kind === 'none') return reject('principal-unknown', 'There is no such principal.');
  switch (command.type) {
    case 'SuspendPrincipal':
    case 'ReactivatePrincipal':
      return move(command, state);
    case 'IssueCredential':
      return issue(command, state);
    case 'RevokeCredential':
      return revoke(command, state);
  }
};

export const principal: Decider<PrincipalCommand, PrincipalState, PrincipalEvent, PrincipalRejection> = {
  family: principals,
  initial: { kind: 'none' },
  evolve,
  decide,
};
