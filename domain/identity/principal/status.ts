/** Whether a principal is to be trusted, and from which epoch on its tokens are: both move in one append. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import { grantedScopes, missingScopes } from '../scopes';
import type { GrantsOfBefore, PrincipalEvent } from './events';
import { liveCredentials, type RegisteredPrincipal } from './state';

interface ChangeStatus {
  readonly principalId: PrincipalId;
  readonly reason: string;
  /** Who asks, and their scopes. */
  readonly by: string;
  readonly held: readonly string[];
  readonly at: Instant;
}

export interface MovePrincipal extends ChangeStatus {
  readonly type: 'SuspendPrincipal' | 'ReactivatePrincipal';
}

export interface BumpEpoch {
  readonly type: 'BumpEpoch';
  readonly principalId: PrincipalId;
  /** What it has to reach: nothing happens where it has. Null: higher than it is, each time it is said. */
  readonly to: number | null;
  readonly grants: GrantsOfBefore;
  readonly reason: string;
  /** Commands that processes recorded earlier have none: they revoke expired credentials, too. */
  readonly at?: Instant;
}

export interface MarkCompromised extends ChangeStatus {
  readonly type: 'MarkCompromised';
}

export type StatusRejection = 'own-authority' | 'principal-compromised' | 'scope-not-held';

export const compromised = () =>
  reject('principal-compromised', 'The principal is compromised; only recovery changes that.');

interface EpochEnd {
  readonly principalId: PrincipalId;
  readonly reason: string;
  readonly at?: Instant;
}

/** A new epoch ends the tokens of the one before, and with them the credentials that would get new ones. */
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

/** Whoever changes it may do all that the principal may, and goes on: so an administrator is left, whoever is suspended or compromised. */
const refuseChange = (
  { by, held, principalId }: ChangeStatus,
  { roles, scopes }: RegisteredPrincipal,
): Either<Rejection<StatusRejection>, never> | undefined => {
  if (by === principalId) return reject('own-authority', 'Nobody does this to themselves: another administrator does.');
  return missingScopes(grantedScopes(roles, scopes), held).length === 0
    ? undefined
    : reject('scope-not-held', 'Only who may do all that the principal may can do this.');
};

/** Suspension also ends every live token and credential, and all that was granted; reactivation brings none of them back. */
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

/** From any status; back leads recovery only, which proves the person or the workload anew. */
export const markCompromised = (command: MarkCompromised, state: RegisteredPrincipal): Decision => {
  const no = refuseChange(command, state);
  if (no !== undefined) return no;
  if (state.status === 'COMPROMISED') return right([]);
  const { principalId, reason } = command;
  return right([
    { type: 'PrincipalMarkedCompromised', data: { principalId, reason } },
    ...raiseEpoch(command, state, { grants: 'ended' }),
  ]);
};

export const bumpEpoch = (command: BumpEpoch, state: RegisteredPrincipal): Either<never, readonly PrincipalEvent[]> => {
  const { to } = command;
  const { securityEpoch: from, grantsNotBeforeEpoch: grantsFrom } = state;
  // Commands that processes decided on earlier say nothing of grants.
  const grants = command.grants === 'ended' ? 'ended' : 'kept';
  if (to === null) return right(raiseEpoch(command, state, { grants }));
  if (to <= (grants === 'ended' ? grantsFrom : from)) return right([]);
  return right(raiseEpoch(command, state, { grants, to: Math.max(to, from + 1) }));
};
