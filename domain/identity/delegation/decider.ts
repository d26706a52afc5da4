/** Delegation: made by a principal within its own authority, revoked once. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { plusSeconds } from '../../kernel/instant';
import { type Rejection, reject } from '../../kernel/rejection';
import type { DelegationId, GrantId, SessionId, TaskId } from '../ids';
import type { PrincipalState } from '../principal/state';
import { distinctScopes, missingScopes, type Scope } from '../scopes';
import { type DelegationEvent, delegations, maxDelegationDepth } from './events';

type Created = Extract<DelegationEvent, { type: 'DelegationCreated' }>['data'];

export interface Delegation extends Created {
  readonly kind: 'delegation';
  readonly status: 'ACTIVE' | 'REVOKED';
}

export type DelegationState = { readonly kind: 'none' } | Delegation;

/** Eight hours: a working day. */
export const maxDelegationSeconds = 28_800;
export const maxDelegatedScopes = 64;

export interface Delegator extends Pick<Created, 'delegatorId' | 'delegatorType' | 'delegatorEpoch'> {
  /** Scopes of its token. */
  readonly held: readonly string[];
  /** Audiences for which it may get tokens. */
  readonly audiences: readonly string[];
  readonly sessionId: SessionId | null;
  readonly sourceGrantId: GrantId | null;
  /** When the authority of its token ends, by session, grant or delegation; null: not known to end. */
  readonly endsAt: Instant | null;
  readonly parent: Pick<Delegation, 'delegationId' | 'audience' | 'depth'> | null;
}

export interface CreateDelegation {
  readonly type: 'CreateDelegation';
  readonly delegationId: DelegationId;
  readonly grantId: GrantId;
  readonly delegator: Delegator;
  readonly agentId: PrincipalId;
  readonly agent: PrincipalState;
  readonly taskId: TaskId;
  readonly audience: string;
  readonly scopes: readonly Scope[];
  readonly expiresInSeconds: number;
  readonly at: Instant;
}

export interface RevokeDelegation {
  readonly type: 'RevokeDelegation';
  readonly reason: string;
  /** Only if this principal made it; null: any. */
  readonly ownedBy: string | null;
}

export type DelegationCommand = CreateDelegation | RevokeDelegation;
export type DelegationRejection =
  | 'agent-not-active'
  | 'agent-unknown'
  | 'audience-not-held'
  | 'delegation-differs'
  | 'delegation-scopes-invalid'
  | 'delegation-too-deep'
  | 'delegation-unknown'
  | 'delegator-signed-out'
  | 'scope-not-held';

type Decision = Either<Rejection<DelegationRejection>, readonly DelegationEvent[]>;
type Refused = Either<Rejection<DelegationRejection>, never> | undefined;

const unlessAgent = ({ agentId, agent, delegator }: CreateDelegation): Refused => {
  if (agent.kind === 'none' || agent.principalType !== 'AI_AGENT' || agentId === delegator.delegatorId)
    return reject('agent-unknown', 'There is no such agent, other than the caller.');
  // A compromised one needs a delegation to recover, and gets no token by it before.
  return agent.status === 'SUSPENDED' ? reject('agent-not-active', 'The agent is not active.') : undefined;
};

/** Scopes of OpenID Connect are about the one who signs in. */
const unlessScopes = ({ scopes, delegator: { held } }: CreateDelegation): Refused => {
  if (scopes.length === 0 || scopes.length > maxDelegatedScopes || scopes.some((scope) => !scope.includes(':')))
    return reject(
      'delegation-scopes-invalid',
      `A delegation has 1 to ${maxDelegatedScopes} scopes, and none of OpenID Connect.`,
    );
  const missing = missingScopes(scopes, held);
  return missing.length === 0
    ? undefined
    : reject('scope-not-held', `The caller lacks what it would delegate: ${missing.join(', ')}.`);
};

const unlessAudience = ({ audience, delegator: { audiences, parent } }: CreateDelegation): Refused =>
  audiences.includes(audience) && (parent === null || parent.audience === audience)
    ? undefined
    : reject('audience-not-held', 'The caller may get no tokens for this audience.');

const depthOf = ({ delegator: { parent } }: CreateDelegation): number => (parent?.depth ?? 0) + 1;

const unlessCreatable = (command: CreateDelegation): Refused => {
  const { delegator, at } = command;
  if (delegator.endsAt !== null && delegator.endsAt <= at)
    return reject('delegator-signed-out', 'The sign-in of the caller has ended.');
  if (depthOf(command) > maxDelegationDepth)
    return reject('delegation-too-deep', `A task is passed on by ${maxDelegationDepth} agents at most.`);
  return unlessAgent(command) ?? unlessScopes(command) ?? unlessAudience(command);
};

const expiryOf = ({ at, expiresInSeconds, delegator: { endsAt } }: CreateDelegation): Instant => {
  const wanted = plusSeconds(at, Math.min(expiresInSeconds, maxDelegationSeconds));
  return endsAt !== null && endsAt < wanted ? endsAt : wanted;
};

const create = (command: CreateDelegation, state: DelegationState): Decision => {
  const { delegationId, grantId, agentId, taskId, audience, delegator, at: createdAt } = command;
  const { delegatorId, delegatorType, delegatorEpoch, sessionId, sourceGrantId, parent } = delegator;
  if (state.kind === 'delegation')
    return state.delegatorId === delegatorId && state.agentId === agentId && state.taskId === taskId
      ? right([])
      : reject('delegation-differs', 'Another delegation has this id.');
  const refused = unlessCreatable(command);
  if (refused !== undefined) return refused;
  const data = {
    ...{ delegationId, grantId, delegatorId, delegatorType, delegatorEpoch, agentId, taskId, audience },
    scopes: distinctScopes(command.scopes),
    ...{ sessionId, sourceGrantId, parentId: parent?.delegationId ?? null, depth: depthOf(command) },
    ...{ createdAt, expiresAt: expiryOf(command) },
  };
  return right([{ type: 'DelegationCreated', data }]);
};

const revoke = ({ reason, ownedBy }: RevokeDelegation, state: DelegationState): Decision => {
  // Those of others look unknown.
  if (state.kind === 'none' || (ownedBy !== null && state.delegatorId !== ownedBy))
    return reject('delegation-unknown', 'There is no such delegation.');
  if (state.status === 'REVOKED') return right([]);
  const { delegationId, grantId, delegatorId, agentId } = state;
  return right([{ type: 'DelegationRevoked', data: { delegationId, grantId, delegatorId, agentId, reason } }]);
};

const evolve = (state: DelegationState, event: DelegationEvent): DelegationState => {
  if (event.type === 'DelegationCreated')
    return state.kind === 'none' ? { kind: 'delegation', status: 'ACTIVE', ...event.data } : state;
  return state.kind === 'none' ? state : { ...state, status: 'REVOKED' };
};

export const delegation: Decider<DelegationCommand, DelegationState, DelegationEvent, DelegationRejection> = {
  family: delegations,
  initial: { kind: 'none' },
  evolve,
  decide: (command, state) => (command.type === 'CreateDelegation' ? create(command, state) : revoke(command, state)),
};
