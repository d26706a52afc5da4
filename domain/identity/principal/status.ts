/** Status and epoch of a principal change in one append. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { IncidentId } from '../ids';
import { missingScopes } from '../scopes';
import { authorityOf } from './authority-check';
import type { GrantsOfBefore, PrincipalEvent } from './events';
import { liveCredentials, type RegisteredPrincipal } from './state';

interface ChangeStatus {
  readonly principalId: PrincipalId;
  readonly reason: string;
  /** The caller. */
  readonly by: string;
  /** The caller's scopes. */
  readonly held: readonly string[];
  readonly at: Instant;
}

export interface MovePrincipal extends ChangeStatus {
  readonly type: 'SuspendPrincipal' | 'ReactivatePrincipal';
}

export interface BumpEpoch {
  readonly type: 'BumpEpoch';
  readonly principalId: PrincipalId;
  /** Minimum epoch; already reached: no event. Null: one higher, each time. */
  readonly to: number | null;
  readonly grants: GrantsOfBefore;
  readonly reason: string;
  /** Absent in commands that processes recorded earlier: those revoke expired credentials, too. */
  readonly at?: Instant;
}

export interface MarkCompromised extends ChangeStatus {
  readonly type: 'MarkCompromised';
  /** That is opened for it. */
  readonly incidentId: IncidentId | null;
}

/** The containment of an incident; its opener had the authority. */
export interface ContainPrincipal {
  readonly type: 'ContainPrincipal';
  readonly principalId: PrincipalId;
  readonly incidentId: IncidentId;
  readonly reason: string;
  readonly at: Instant;
}

/** After a fresh authentication. */
export interface RecoverPrincipal {
  readonly type: 'RecoverPrincipal';
  readonly principalId: PrincipalId;
  readonly incidentId: IncidentId;
  readonly reason: string;
  readonly at: Instant;
}

export type StatusRejection = 'own-authority' | 'principal-compromised' | 'principal-suspended' | 'scope-not-held';

export const compromised = () =>
  reject('principal-compromised', 'The principal is compromised; only recovery reactivates it.');

interface EpochEnd {
  readonly principalId: PrincipalId;
  readonly reason: string;
  readonly at?: Instant;
}

/** A new epoch ends earlier tokens, and the credentials that could get new ones. */
export const raiseEpoch = (
  { principalId, reason, at }: EpochEnd,
  state: RegisteredPrincipal,
  { grants, to = state.securityEpoch + 1 }: { readonly grants: GrantsOfBefore; readonly to?: number },
): readonly PrincipalEvent[] => {
  const { securityEpoch: from, credentials } = state;
  const live = at === undefined ? [...credentials.values()].filter((one) => !one.revoked) : liveCredentials(state, at);
  return [
    { type: 'SecurityEpochBumped', data: { principalId, from, to, grants, reason } },
    ...live.map(
      ({ credentialId }): PrincipalEvent => ({
        type: 'CredentialRevoked',
        data: { principalId, credentialId, reason },
      }),
    ),
  ];
};

type Decision = Either<Rejection<StatusRejection>, readonly PrincipalEvent[]>;

/** The caller has all of the principal's authority and is not the principal, so an administrator remains. */
const refuseChange = (
  { by, held: callerScopes, principalId }: ChangeStatus,
  state: RegisteredPrincipal,
): Either<Rejection<StatusRejection>, never> | undefined => {
  if (by === principalId) return reject('own-authority', 'Another administrator must do this to your own principal.');
  return missingScopes(authorityOf(state), callerScopes).length === 0
    ? undefined
    : reject('scope-not-held', 'The caller needs all of the authority of the principal.');
};

/** Suspension ends all tokens, credentials and grants; reactivation restores none. */
export const changeStatus = (command: MovePrincipal, state: RegisteredPrincipal): Decision => {
  const { type, principalId, reason } = command;
  const no = refuseChange(command, state);
  if (no !== undefined) return no;
  if (state.status === 'COMPROMISED') return compromised();
  if (type === 'ReactivatePrincipal')
    return right(state.status === 'ACTIVE' ? [] : [{ type: 'PrincipalReactivated', data: { principalId, reason } }]);
  if (state.status === 'SUSPENDED') return right([]);
  return right([
    { type: 'PrincipalSuspended', data: { principalId, reason } },
    ...raiseEpoch(command, state, { grants: 'ended' }),
  ]);
};

const compromise = (
  command: MarkCompromised | ContainPrincipal,
  state: RegisteredPrincipal,
): readonly PrincipalEvent[] => {
  const { principalId, reason, incidentId } = command;
  return [
    { type: 'PrincipalMarkedCompromised', data: { principalId, reason, incidentId } },
    ...raiseEpoch(command, state, { grants: 'ended' }),
  ];
};

/** From any status. Only recovery leads back. */
export const markCompromised = (command: MarkCompromised, state: RegisteredPrincipal): Decision => {
  const no = refuseChange(command, state);
  if (no !== undefined) return no;
  if (state.status === 'COMPROMISED') return right([]);
  return right(compromise(command, state));
};

/** Each incident is recorded and raises the epoch, also of a principal that another one has made compromised. */
export const containPrincipal = (command: ContainPrincipal, state: RegisteredPrincipal): Decision =>
  right(state.incidents.includes(command.incidentId) ? [] : compromise(command, state));

/** Always raises the epoch (recovery rule 4). One that an incident left active keeps its other grants. */
export const recoverPrincipal = (command: RecoverPrincipal, state: RegisteredPrincipal): Decision => {
  const { principalId, incidentId, reason } = command;
  if (state.status === 'SUSPENDED')
    return reject('principal-suspended', 'A suspended principal is reactivated by an administrator.');
  if (state.status === 'ACTIVE') return right(raiseEpoch(command, state, { grants: 'kept' }));
  return right([
    { type: 'PrincipalRecovered', data: { principalId, reason, incidentId } },
    ...raiseEpoch(command, state, { grants: 'ended' }),
  ]);
};

export const bumpEpoch = (command: BumpEpoch, state: RegisteredPrincipal): Either<never, readonly PrincipalEvent[]> => {
  const { to } = command;
  const { securityEpoch: from, grantsNotBeforeEpoch: grantsFrom } = state;
  // Earlier commands of processes have no `grants`.
  const grants = command.grants === 'ended' ? 'ended' : 'kept';
  if (to === null) return right(raiseEpoch(command, state, { grants }));
  if (to <= (grants === 'ended' ? grantsFrom : from)) return right([]);
  return right(raiseEpoch(command, state, { grants, to: Math.max(to, from + 1) }));
};
