/** Roles and scopes of principals: others grant and withdraw them, within their own authority. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { distinctScopes, grantedScopes, missingScopes, type Role, type Scope } from '../scopes';
import { carriedScopes } from './authority-check';
import type { PrincipalEvent } from './events';
import type { RegisteredPrincipal } from './state';
import { compromised, raiseEpoch } from './status';

interface ChangeAuthority {
  readonly principalId: PrincipalId;
  readonly roles: readonly Role[];
  readonly scopes: readonly Scope[];
  /** The caller. */
  readonly by: string;
  /** The caller's scopes. Recorded command hashes cover the name. */
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
 * The caller has what it withdraws and cannot withdraw its own authority, so an administrator remains, unless two withdraw each other's at
 * the same moment.
 */
const refuseChange = (command: ChangeAuthority): Either<Rejection<AuthorityRejection>, never> | undefined => {
  if (command.by === command.principalId)
    return reject('own-authority', 'Another administrator must change your own authority.');
  if (missingScopes(grantedScopes(command.roles, command.scopes), command.held).length > 0)
    return reject('scope-not-held', 'Only authority of the caller can be granted or withdrawn.');
  return undefined;
};

const missingFrom = <Word>(wanted: readonly Word[], current: readonly Word[]): Word[] => [
  ...new Set(wanted.filter((word) => !current.includes(word))),
];
const presentIn = <Word>(wanted: readonly Word[], current: readonly Word[]): Word[] => [
  ...new Set(wanted.filter((word) => current.includes(word))),
];

export const grantAuthority = (command: GrantAuthority, state: RegisteredPrincipal): Decision => {
  const no = refuseChange(command);
  if (no !== undefined) return no;
  if (state.status === 'COMPROMISED') return compromised();
  if (command.roles.length > 0 && state.principalType !== 'HUMAN')
    return reject('role-for-people', 'Roles are for people: grant scopes instead.');
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

/** Credentials and service clients lose scopes as well. */
const heldScopes = (state: RegisteredPrincipal): readonly Scope[] => [
  ...state.scopes,
  ...state.credentialScopes,
  ...carriedScopes(state),
];

/** The same append ends tokens and credentials. Grants continue: each use yields only the current authority. */
export const withdrawAuthority = (command: WithdrawAuthority, state: RegisteredPrincipal): Decision => {
  const no = refuseChange(command);
  if (no !== undefined) return no;
  const { principalId, reason } = command;
  const roles = presentIn(command.roles, state.roles);
  const scopes = distinctScopes(presentIn(command.scopes, heldScopes(state)));
  const taken: PrincipalEvent[] = [];
  if (roles.length > 0) taken.push({ type: 'RolesWithdrawn', data: { principalId, roles, reason } });
  if (scopes.length > 0) taken.push({ type: 'ScopesWithdrawn', data: { principalId, scopes, reason } });
  return right(taken.length === 0 ? [] : [...taken, ...raiseEpoch(command, state, { grants: 'kept' })]);
};
