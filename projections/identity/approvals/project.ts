import { type ApprovalEvent, approvals } from '../../../domain/identity/approval/events';
import { type Forgotten, isForgotten } from '../../../domain/kernel/secret';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type ApprovalRow, approvalsView } from './view';

const change = ({ data, at }: Pick<RecordedEvent<ApprovalEvent>, 'data' | 'at'>, fields: Partial<ApprovalRow>) => {
  const key = { tenantId: at.tenantId, approvalId: data.approvalId };
  return patchRow<ApprovalRow>(key, { ...fields, revision: at.revision });
};

const unlessForgotten = (value: string | null | Forgotten): string | null => (isForgotten(value) ? null : value);

const undecided = {
  ...{ approverId: null, authTime: null, amr: null, decidedAt: null, usableUntil: null, endReason: null },
  ...{ jti: null, requestId: null, policyVersion: null, consumedAt: null },
  ...{ result: null, httpStatus: null, answeredAt: null },
} as const;

export const approvalsProjection = projection(approvalsView, [
  streamsOf(approvals, {
    // A capability is the agent's alone.
    ignored: ['CapabilityIssued'],
    StepUpRequested: ({ data: { query, body, reason, ...data }, at }) => {
      const personal = {
        query: unlessForgotten(query),
        body: unlessForgotten(body),
        reason: unlessForgotten(reason),
      };
      return putRow<ApprovalRow>({ ...data, ...personal, ...undecided, status: 'PENDING', ...at });
    },
    StepUpApproved: (recorded) => {
      const { approverId, authTime, amr, approvedAt: decidedAt, usableUntil } = recorded.data;
      return change(recorded, { status: 'APPROVED', approverId, authTime, amr, decidedAt, usableUntil });
    },
    StepUpDenied: (recorded) => {
      const { approverId, reason: endReason, deniedAt: decidedAt } = recorded.data;
      return change(recorded, { status: 'DENIED', approverId, endReason, decidedAt });
    },
    StepUpWithdrawn: (recorded) => {
      const { reason: endReason, withdrawnAt: decidedAt } = recorded.data;
      return change(recorded, { status: 'WITHDRAWN', endReason, decidedAt });
    },
    CapabilityConsumed: (recorded) => {
      const { jti, requestId, policyVersion, consumedAt } = recorded.data;
      return change(recorded, { status: 'CONSUMED', jti, requestId, policyVersion, consumedAt });
    },
    ApprovedActionAnswered: (recorded) => {
      const { result, status: httpStatus, answeredAt } = recorded.data;
      return change(recorded, { result, httpStatus, answeredAt });
    },
  }),
]);
