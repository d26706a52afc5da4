/** What a principal may do, given and taken: only by others, and only what they may do themselves. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { distinctScopes, grantedScopes, missingScopes, type Role, type Scope } from '../scopes';
import type { PrincipalEvent } from './events';
import { liveCredentials, type RegisteredPrincipal } from './state';
import { compromised, raiseEpoch } from './status';

interface ChangeAuthority {
  readonly principalId: PrincipalId;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  /** Who asks. */
  readonly by: string;
  /** Scopes of who asks. */
  readonly held: readonly string[];
}

export interface GrantAuthority extends ChangeAuthority {
  readonly type: 'GrantAuthority';
}

export interface WithdrawAuthority extends ChangeAuthority {
  readonly type: 'WithdrawAuthority';
  readonly reason: string;
  readonly at: Instant;
}

export type AuthorityRejection = 'own-authority' | 'principal-compromised' | 'role-for-people' | 'scope-not-held';

type Decision = Either<Rejection<AuthorityRejection>, readonly PrincipalEvent[]>;

/**
 * Who withdraws holds what is withdrawn and keeps it, so somebody who does is left: the last admin can go by nobody's hand
 * but, at the same moment, that of another one who goes by theirs.
 */
const refuseChange = (command: ChangeAuthority): Either<Rejection<AuthorityRejection>, never> | undefined => {
  if (command.by === command.principalId) return reject('own-authority', 'Nobody changes what they may do themselves.');
  if (missingScopes(grantedScopes(command.roles, command.scopes), command.held).length > 0)
    return reject('scope-not-held', 'Only what the caller may do can be given or withdrawn.');
  return undefined;
};

const missingFrom = <Word>(wanted: readonly Word[], held: readonly Word[]): Word[] => [
  ...new Set(wanted.filter((word) => !held.includes(word))),
];
const presentIn = <Word>(wanted: readonly Word[], held: readonly Word[]): Word[] => [
  ...new Set(wanted.filter((word) => held.includes(word))),
];

export const grantAuthority = (command: GrantAuthority, state: RegisteredPrincipal): Decision => {
  const no = refuseChange(command);
  if (no !== undefined) return no;
  if (state.status === 'COMPROMISED') return compromised();
  if (command.roles.length > 0 && state.principalType !== 'HUMAN')
    return reject('role-for-people', 'Roles are for people: give scopes, by a credential.');
  const { principalId } = command;
  const [roles, scopes] = [
    missingFrom(command.roles, state.roles),
    distinctScopes(missingFrom(command.scopes, state.scopes)),
  ];
  const events: PrincipalEvent[] = [];
  if (roles.length > 0) events.push({ type: 'RolesGranted', data: { principalId, roles } });
  if (scopes.length > 0) events.push({ type: 'ScopesGranted', data: { principalId, scopes } });
  return right(events);
};

/** A machine has most of its scopes by its credentials, so those can be withdrawn as well. */
const heldScopes = (state: RegisteredPrincipal, at: Instant): readonly Scope[] => [
  ...state.scopes,
  ...liveCredentials(state, at).flatMap((one) => one.scopes),
];

/**
 * Tokens and credentials that were issued with it end in the same append; grants go on, because each use of one
 * gives only what the principal may still do.
 */
export const withdrawAuthority = (command: WithdrawAuthority, state: RegisteredPrincipal): Decision => {
  const no = refuseChange(command);
  if (no !== undefined) return no;
  const { principalId, reason, at } = command;
  const roles = presentIn(command.roles, state.roles);
  const scopes = distinctScopes(presentIn(command.scopes, heldScopes(state, at)));
  const taken: PrincipalEvent[] = [];
  if (roles.length > 0) taken.push({ type: 'RolesWithdrawn', data: { principalId, roles, reason } });
  if (scopes.length > 0) taken.push({ type: 'ScopesWithdrawn', data: { principalId, scopes, reason } });
  return right(taken.length === 0 ? [] : [...taken, ...raiseEpoch(command, state, { grants: 'kept' })]);
};
