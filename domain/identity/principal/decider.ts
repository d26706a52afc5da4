/** Principal: registration, status, epoch, authority and credentials. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId, TenantId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { PrincipalType } from '../ids';
import {
  type AuthorityRejection,
  type GrantAuthority,
  grantAuthority,
  type WithdrawAuthority,
  withdrawAuthority,
} from './authority';
import { type RecoverAdministrator, recoverAdministrator } from './break-glass';
import {
  type CredentialRejection,
  credentialIssued,
  type IssueCredential,
  issueCredential,
  type NewCredential,
  type RevokeCredential,
  revokeCredential,
} from './credentials';
import { type PrincipalEvent, principals } from './events';
import { type AuthorizeServiceClient, authorizeServiceClient, type ServiceClientRejection } from './service-clients';
import { evolve, type PrincipalState } from './state';
import {
  type BumpEpoch,
  bumpEpoch,
  type ContainPrincipal,
  changeStatus,
  containPrincipal,
  type MarkCompromised,
  type MovePrincipal,
  markCompromised,
  type RecoverPrincipal,
  recoverPrincipal,
  type StatusRejection,
} from './status';
import { type AuthorizeTrustRule, authorizeTrustRule, type TrustRuleRejection } from './trust-rules';

export type { IssueCredential, RevokeCredential } from './credentials';
export type { MovePrincipal } from './status';

export interface BootstrapAdmin extends NewCredential {
  readonly type: 'BootstrapAdmin';
  readonly tenantId: TenantId;
  readonly expiresAt: Instant;
}

export interface RegisterPrincipal {
  readonly type: 'RegisterPrincipal';
  readonly principalId: PrincipalId;
  readonly tenantId: TenantId;
  readonly principalType: PrincipalType;
  readonly at: Instant;
}

export type PrincipalCommand =
  | BootstrapAdmin
  | RegisterPrincipal
  | MovePrincipal
  | BumpEpoch
  | MarkCompromised
  | ContainPrincipal
  | RecoverPrincipal
  | GrantAuthority
  | WithdrawAuthority
  | IssueCredential
  | AuthorizeServiceClient
  | AuthorizeTrustRule
  | RecoverAdministrator
  | RevokeCredential;

export type PrincipalRejection =
  | AuthorityRejection
  | CredentialRejection
  | ServiceClientRejection
  | StatusRejection
  | TrustRuleRejection
  | 'already-bootstrapped'
  | 'principal-differs'
  | 'principal-unknown';

type Decision = Either<Rejection<PrincipalRejection>, readonly PrincipalEvent[]>;

const register = ({ principalId, tenantId, principalType, at }: RegisterPrincipal, state: PrincipalState): Decision => {
  if (state.kind === 'registered')
    return state.principalType === principalType
      ? right([])
      : reject('principal-differs', 'A principal with this id is registered with another type.');
  return right([{ type: 'PrincipalRegistered', data: { principalId, tenantId, principalType, createdAt: at } }]);
};

const bootstrap = (command: BootstrapAdmin, state: PrincipalState): Decision => {
  if (state.kind === 'registered')
    return state.credentials.get(command.credentialId)?.secretHash === command.secretHash
      ? right([])
      : reject('already-bootstrapped', 'The one-time sign-in was used before, or begun on the page /sign-in/first.');
  const { principalId, tenantId, at: createdAt } = command;
  const data = { principalId, tenantId, principalType: 'HUMAN', createdAt } as const;
  return right([{ type: 'PrincipalRegistered', data }, credentialIssued(command, command.expiresAt)]);
};

const decide = (command: PrincipalCommand, state: PrincipalState): Decision => {
  if (command.type === 'BootstrapAdmin') return bootstrap(command, state);
  if (command.type === 'RegisterPrincipal') return register(command, state);
  if (state.kind === 'none') return reject('principal-unknown', 'There is no such principal.');
  switch (command.type) {
    case 'SuspendPrincipal':
    case 'ReactivatePrincipal':
      return changeStatus(command, state);
    case 'BumpEpoch':
      return bumpEpoch(command, state);
    case 'MarkCompromised':
      return markCompromised(command, state);
    case 'ContainPrincipal':
      return containPrincipal(command, state);
    case 'RecoverPrincipal':
      return recoverPrincipal(command, state);
    case 'GrantAuthority':
      return grantAuthority(command, state);
    case 'WithdrawAuthority':
      return withdrawAuthority(command, state);
    case 'IssueCredential':
      return issueCredential(command, state);
    case 'AuthorizeServiceClient':
      return authorizeServiceClient(command, state);
    case 'AuthorizeTrustRule':
      return authorizeTrustRule(command, state);
    case 'RevokeCredential':
      return revokeCredential(command, state);
    case 'RecoverAdministrator':
      return recoverAdministrator(command, state);
  }
};

export const principal: Decider<PrincipalCommand, PrincipalState, PrincipalEvent, PrincipalRejection> = {
  family: principals,
  initial: { kind: 'none' },
  evolve,
  decide,
};
