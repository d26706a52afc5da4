/** A delegation: an agent may act for a principal, in one task, for one audience, with some of the principal's scopes, until it ends. */
import { Instant, integer, nullable } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { Audience, DelegationId, GrantId, PrincipalType, SessionId, TaskId } from '../ids';
import { Reason, SecurityEpoch } from '../principal/events';
import { Scopes } from '../scopes';

/** Agents that pass a task on, one to the next: the actors of a token. */
export const maxDelegationDepth = 3;

export const delegations = aggregate(
  { context: 'identity', name: 'delegation', id: DelegationId },
  {
    DelegationCreated: {
      v: 1,
      data: {
        delegationId: DelegationId,
        /** Named by its tokens, which end with it. */
        grantId: GrantId,
        delegatorId: PrincipalId,
        delegatorType: PrincipalType,
        /** Of the token that made it. */
        delegatorEpoch: SecurityEpoch,
        agentId: PrincipalId,
        taskId: TaskId,
        audience: Audience,
        scopes: Scopes,
        /** The session in which it was made, and with which it ends; null: none. */
        sessionId: nullable(SessionId),
        /** The grant of the token that made it, and with which it ends; null: a credential's own token. */
        sourceGrantId: nullable(GrantId),
        /** The delegation by which the delegator acted; null: in its own right. */
        parentId: nullable(DelegationId),
        depth: integer(1, maxDelegationDepth),
        createdAt: Instant,
        expiresAt: Instant,
      },
    },
    DelegationRevoked: {
      v: 1,
      data: {
        delegationId: DelegationId,
        grantId: GrantId,
        delegatorId: PrincipalId,
        agentId: PrincipalId,
        reason: Reason,
      },
    },
  },
);
export type DelegationEvent = typeof delegations.Event;

export const { stream: delegationStream } = delegations;
