/** Grant: opened by one approval, ended once. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { PersonClaim } from '../authorization/requested-claims';
import type { ClientId, FamilyId, GrantId, IncidentId, PrincipalType, SessionId } from '../ids';
import type { Scope } from '../scopes';
import { type GrantEvent, type GrantedWorkload, grants } from './events';

export interface Grant {
  readonly kind: 'grant';
  readonly status: 'ACTIVE' | 'REVOKED' | 'COMPROMISED';
  readonly grantId: GrantId;
  readonly principalId: PrincipalId;
  readonly principalType: PrincipalType;
  readonly clientId: ClientId;
  readonly scopes: readonly Scope[];
  readonly audience: readonly string[];
  readonly sessionId: SessionId | null;
  readonly refreshFamilyId: FamilyId | null;
  readonly authenticatedAt: Instant;
  readonly methods: readonly string[];
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly clientEpoch: number | null;
  readonly idTokenClaims: readonly PersonClaim[];
  readonly workload: GrantedWorkload | null;
}

export type GrantState = { readonly kind: 'none' } | Grant;

export interface OpenGrant {
  readonly type: 'OpenGrant';
  readonly data: Extract<GrantEvent, { type: 'GrantOpened' }>['data'];
}

export interface RevokeGrant {
  readonly type: 'RevokeGrant';
  readonly reason: string;
  /** Only if this principal owns it; null: any owner. */
  readonly ownedBy: string | null;
}

export interface CompromiseGrant {
  readonly type: 'CompromiseGrant';
  readonly incidentId: IncidentId | null;
  readonly reason: string;
}

export type GrantCommand = OpenGrant | RevokeGrant | CompromiseGrant;
export type GrantRejection = 'grant-differs' | 'grant-unknown';
type Decision = Either<Rejection<GrantRejection>, readonly GrantEvent[]>;

const open = ({ data }: OpenGrant, state: GrantState): Decision => {
  if (state.kind === 'none') return right([{ type: 'GrantOpened', data }]);
  return state.principalId === data.principalId && state.clientId === data.clientId
    ? right([])
    : reject('grant-differs', 'A grant with this id belongs to another principal.');
};

const end = (command: RevokeGrant | CompromiseGrant, { grantId, principalId, status }: Grant): Decision => {
  // The first end counts.
  if (status !== 'ACTIVE') return right([]);
  const { reason } = command;
  if (command.type === 'RevokeGrant') return right([{ type: 'GrantRevoked', data: { grantId, principalId, reason } }]);
  const { incidentId } = command;
  return right([{ type: 'GrantCompromised', data: { grantId, principalId, incidentId, reason } }]);
};

const decide = (command: GrantCommand, state: GrantState): Decision => {
  if (command.type === 'OpenGrant') return open(command, state);
  // A grant of another owner looks unknown.
  const hidden = command.type === 'RevokeGrant' && command.ownedBy !== null;
  if (state.kind === 'none' || (hidden && state.principalId !== command.ownedBy))
    return reject('grant-unknown', 'There is no such grant.');
  return end(command, state);
};

const evolve = (state: GrantState, event: GrantEvent): GrantState => {
  if (event.type === 'GrantOpened') {
    if (state.kind === 'grant') return state;
    return { kind: 'grant', status: 'ACTIVE', ...event.data };
  }
  if (state.kind === 'none' || state.status !== 'ACTIVE') return state;
  return { ...state, status: event.type === 'GrantRevoked' ? 'REVOKED' : 'COMPROMISED' };
};

export const grant: Decider<GrantCommand, GrantState, GrantEvent, GrantRejection> = {
  family: grants,
  initial: { kind: 'none' },
  evolve,
  decide,
};
