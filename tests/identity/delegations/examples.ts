/** A person, an agent, and what the one delegates to the other. */
import type { CreateDelegation, Delegator } from '../../../domain/identity/delegation/decider';
import type { DelegationEvent } from '../../../domain/identity/delegation/events';
import type { DelegationId, GrantId, SessionId, TaskId } from '../../../domain/identity/ids';
import type { RegisteredPrincipal } from '../../../domain/identity/principal/state';
import type { Scope } from '../../../domain/identity/scopes';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { noon, scope } from '../examples';

export const [reads, writes] = [scope('principals:read'), scope('principals:write')];
export const agentId = 'agent-1' as PrincipalId;
export const delegatorId = 'ada' as PrincipalId;
export const delegationId = 'd-1' as DelegationId;
export const grantId = 'g-1' as GrantId;
export const sessionId = 'ab'.repeat(32) as SessionId;

export const registeredPrincipal = (changes: Partial<RegisteredPrincipal> = {}): RegisteredPrincipal => ({
  kind: 'registered',
  principalType: 'AI_AGENT',
  status: 'ACTIVE',
  incidents: [],
  securityEpoch: 1,
  grantsNotBeforeEpoch: 1,
  roles: [],
  scopes: [],
  credentials: new Map(),
  credentialScopes: [],
  serviceClients: new Map(),
  trustRules: new Map(),
  admitsUnknownClients: false,
  ...changes,
});

export const delegator: Delegator = {
  delegatorId,
  delegatorType: 'HUMAN',
  delegatorEpoch: 1,
  held: [reads, writes],
  audiences: ['septet', 'orders'],
  sessionId,
  sourceGrantId: null,
  endsAt: plusSeconds(noon, 36_000),
  parent: null,
};

export const create = (changes: Partial<CreateDelegation> = {}): CreateDelegation => ({
  type: 'CreateDelegation',
  delegationId,
  grantId,
  delegator,
  agentId,
  agent: registeredPrincipal(),
  taskId: 'ticket-1' as TaskId,
  audience: 'septet',
  scopes: [reads],
  expiresInSeconds: 3_600,
  at: noon,
  ...changes,
});

export const created = (
  changes: Partial<Extract<DelegationEvent, { type: 'DelegationCreated' }>['data']> = {},
): DelegationEvent => ({
  type: 'DelegationCreated',
  data: {
    ...{ delegationId, grantId, delegatorId, agentId, sessionId },
    delegatorType: 'HUMAN',
    delegatorEpoch: 1,
    taskId: 'ticket-1' as TaskId,
    audience: 'septet',
    scopes: [reads] as Scope[],
    sourceGrantId: null,
    parentId: null,
    depth: 1,
    createdAt: noon,
    expiresAt: plusSeconds(noon, 3_600),
    ...changes,
  },
});

export const revoked: DelegationEvent = {
  type: 'DelegationRevoked',
  data: { delegationId, grantId, delegatorId, agentId, reason: 'Done.' },
};
