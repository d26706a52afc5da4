/** Delegations: who lets which agent act, in which task. */
import type { TypeOf } from 'io-ts';
import { maxDelegationDepth } from '../../../domain/identity/delegation/events';
import { Audience, DelegationId, GrantId, PrincipalType, SessionId, TaskId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Scopes } from '../../../domain/identity/scopes';
import { Instant, integer, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** `ACTIVE` includes expired delegations: see `expiresAt`. */
const DelegationStatus = oneOf('DelegationStatus', ['ACTIVE', 'REVOKED']);

export const DelegationRow = record('DelegationRow', {
  tenantId: TenantId,
  delegationId: DelegationId,
  grantId: GrantId,
  delegatorId: PrincipalId,
  delegatorType: PrincipalType,
  agentId: PrincipalId,
  taskId: TaskId,
  audience: Audience,
  scopes: Scopes,
  sessionId: nullable(SessionId),
  sourceGrantId: nullable(GrantId),
  parentId: nullable(DelegationId),
  depth: integer(1, maxDelegationDepth),
  status: DelegationStatus,
  createdAt: Instant,
  expiresAt: Instant,
  endedAt: nullable(Instant),
  reason: nullable(Reason),
  revision: integer(0),
});
export type DelegationRow = TypeOf<typeof DelegationRow>;

export const delegationsView: TableView<DelegationRow> = table({
  name: 'identity_delegations',
  version: 1,
  row: DelegationRow,
  key: ['tenantId', 'delegationId'],
  indexes: [
    ['tenantId', 'createdAt', 'delegationId'],
    ['tenantId', 'delegatorId', 'createdAt', 'delegationId'],
    ['tenantId', 'agentId', 'createdAt', 'delegationId'],
  ],
});
