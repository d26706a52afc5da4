/** An agent's request, and a person who approves it. */
import type {
  Approver,
  ApproveStepUp,
  ConsumeCapability,
  IssueCapability,
  RequestStepUp,
} from '../../../domain/identity/approval/decider';
import type { ApprovalEvent } from '../../../domain/identity/approval/events';
import type { ApprovalId, ClientId, DelegationId, TaskId } from '../../../domain/identity/ids';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { noon, scope } from '../examples';

export const approvalId = 'a-1' as ApprovalId;
export const agentId = 'agent-1' as PrincipalId;
export const [ada, grace] = ['ada', 'grace'].map((id) => id as PrincipalId) as [PrincipalId, PrincipalId];
export const actionHash = 'ab'.repeat(32);
export const capabilityHash = 'cd'.repeat(32);
export const thumbprint = 'k'.repeat(43);
const clientId = 'acme.agent-1' as ClientId;
export const writes = scope('principals:write');
export const later = (seconds: number): Instant => plusSeconds(noon, seconds);

export const action: RequestStepUp['action'] = {
  ...{ agentId, actionHash, audience: 'septet', reason: 'The ticket asks for it.', query: null },
  ...{ method: 'POST', path: '/v1/principals/p-1/suspend', body: '{"reason":"Left."}' },
  ...{ operation: 'suspendPrincipal', summary: 'Suspend a principal', scopes: [writes] },
  ...{ delegationId: 'd-1' as DelegationId, taskId: 'ticket-1' as TaskId, onBehalfOf: ada, priorActors: [] },
};

export const request = (changes: Partial<RequestStepUp> = {}): RequestStepUp => ({
  ...{ type: 'RequestStepUp', approvalId, action, isAgent: true, held: [writes], endsAt: null, at: noon },
  ...changes,
});

const approver: Approver = {
  ...{ principalId: grace, isPerson: true, held: [writes, 'approvals:decide'], securityEpoch: 1 },
  ...{ authenticatedAt: noon, methods: ['mfa'] },
};

export const approve = (changes: Partial<Approver> = {}, at = later(10)): ApproveStepUp => ({
  ...{ type: 'ApproveStepUp', approver: { ...approver, ...changes }, actionHash, at },
});

export const issue = (changes: Partial<IssueCapability> = {}): IssueCapability => ({
  ...{ type: 'IssueCapability', by: agentId, at: later(20) },
  capability: { capabilityHash, thumbprint, clientId, agentEpoch: 1 },
  ...changes,
});

export const consume = (changes: Partial<ConsumeCapability> = {}): ConsumeCapability => ({
  ...{ type: 'ConsumeCapability', by: agentId, capabilityHash, actionHash, thumbprint, clientId, jti: 'j-1' },
  ...{ requestId: 'r-1', policyVersion: 3, isInForce: true, at: later(30) },
  ...changes,
});

const whose = { approvalId, agentId };

export const requested: ApprovalEvent = {
  type: 'StepUpRequested',
  data: { approvalId, ...action, requestedAt: noon, expiresAt: later(900) },
};
export const approved: ApprovalEvent = {
  type: 'StepUpApproved',
  data: {
    ...{ ...whose, approverId: grace, approverEpoch: 1, authTime: noon, amr: ['mfa'] },
    ...{ approvedAt: later(10), usableUntil: later(310) },
  },
};
export const denied: ApprovalEvent = {
  type: 'StepUpDenied',
  data: { ...whose, approverId: grace, reason: 'No.', deniedAt: later(10) },
};
export const withdrawn: ApprovalEvent = {
  type: 'StepUpWithdrawn',
  data: { ...whose, reason: 'Done otherwise.', withdrawnAt: later(10) },
};
export const issued: ApprovalEvent = {
  type: 'CapabilityIssued',
  data: {
    ...whose,
    ...{ capabilityHash, thumbprint, clientId, agentEpoch: 1, issuedAt: later(20), expiresAt: later(140) },
  },
};
export const consumed: ApprovalEvent = {
  type: 'CapabilityConsumed',
  data: { ...whose, capabilityHash, jti: 'j-1', requestId: 'r-1', policyVersion: 3, consumedAt: later(30) },
};
export const answered: ApprovalEvent = {
  type: 'ApprovedActionAnswered',
  data: { ...whose, requestId: 'r-1', status: 200, result: 'SUCCEEDED', answeredAt: later(31) },
};
