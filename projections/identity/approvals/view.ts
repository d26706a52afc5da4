/** Approvals: what agents want to do, what people decided, and what became of it. Used ones are the audit record of what agents did (specification section 6). */
import type { TypeOf } from 'io-ts';
import * as events from '../../../domain/identity/approval/events';
import { TokenId } from '../../../domain/identity/denylist/events';
import { ApprovalId, Audience, AuthenticationMethod, DelegationId, TaskId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Scopes } from '../../../domain/identity/scopes';
import { Instant, integer, listOf, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

/** `PENDING` and `APPROVED` include expired ones: see `expiresAt` and `usableUntil`. */
const ApprovalStatus = oneOf('ApprovalStatus', ['PENDING', 'APPROVED', 'DENIED', 'WITHDRAWN', 'CONSUMED']);

/** Ciphertext of a text of so many characters, each of four bytes at most. */
const sealed = (name: string, maxLength: number) =>
  nullable(text(name, { content: 'any', minLength: 0, maxLength: maxLength * 6 + 1_024 }));

export const ApprovalRow = record('ApprovalRow', {
  tenantId: TenantId,
  approvalId: ApprovalId,
  status: ApprovalStatus,
  actionHash: events.ActionHash,
  method: events.ActionMethod,
  path: events.ActionPath,
  query: sealed('SealedActionQuery', events.maxActionTarget),
  body: sealed('SealedActionBody', events.maxActionBody),
  audience: Audience,
  operation: events.ActionOperation,
  summary: events.ActionSummary,
  scopes: Scopes,
  agentId: PrincipalId,
  delegationId: nullable(DelegationId),
  taskId: nullable(TaskId),
  onBehalfOf: nullable(PrincipalId),
  priorActors: listOf('ApprovalPriorActors', PrincipalId, 8),
  reason: sealed('SealedActionReason', 500),
  requestedAt: Instant,
  expiresAt: Instant,
  /** Who approved or denied it. */
  approverId: nullable(PrincipalId),
  authTime: nullable(Instant),
  amr: nullable(listOf('ApprovalMethods', AuthenticationMethod, 16)),
  decidedAt: nullable(Instant),
  usableUntil: nullable(Instant),
  /** Of the denial or the withdrawal. */
  endReason: nullable(Reason),
  /** Of the token that did it. */
  jti: nullable(TokenId),
  requestId: nullable(events.RequestReference),
  policyVersion: nullable(integer(0)),
  consumedAt: nullable(Instant),
  /** Null: the gateway has not reported the answer. */
  result: nullable(events.ActionResult),
  httpStatus: nullable(events.ActionStatus),
  answeredAt: nullable(Instant),
  revision: integer(0),
});
export type ApprovalRow = TypeOf<typeof ApprovalRow>;

export const approvalsView: TableView<ApprovalRow> = table({
  name: 'identity_approvals',
  version: 1,
  personal: true,
  sealed: { encrypted: ['query', 'body', 'reason'], digests: [] },
  row: ApprovalRow,
  key: ['tenantId', 'approvalId'],
  indexes: [
    ['tenantId', 'requestedAt', 'approvalId'],
    ['tenantId', 'agentId', 'requestedAt', 'approvalId'],
    ['tenantId', 'status', 'requestedAt', 'approvalId'],
  ],
});
