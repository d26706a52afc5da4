/** An approval: a person lets an agent do exactly one action, once. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, listOf, nullable, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { TokenId } from '../denylist/events';
import {
  ApprovalId,
  Audience,
  AuthenticationMethod,
  ClientId,
  DelegationId,
  SecretHash,
  TaskId,
  Thumbprint,
} from '../ids';
import { Reason, SecurityEpoch } from '../principal/events';
import { Scopes } from '../scopes';

/** As the agent repeats the request. Longer bodies are not read by people. */
export const maxActionBody = 16_384;
export const maxActionTarget = 2_048;

/** SHA-256 of an action in canonical form. */
export const ActionHash = text('ActionHash', {
  minLength: 64,
  maxLength: 64,
  pattern: '[0-9a-f]{64}',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
});
export const ActionMethod = oneOf('ActionMethod', ['GET', 'POST', 'PUT', 'DELETE']);
export const ActionPath = text('ActionPath', {
  maxLength: maxActionTarget,
  pattern: '\\/[!-~]*',
  examples: ['/v1/principals/7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a/suspend'],
});
const ActionQuery = text('ActionQuery', { content: 'any', maxLength: maxActionTarget, minLength: 0 });
/** Canonical JSON. */
const ActionBody = text('ActionBody', { content: 'any', maxLength: maxActionBody });
/** Its operation in the API document, with the summary of that. */
export const ActionOperation = text('ActionOperation', { maxLength: 128, examples: ['suspendPrincipal'] });
export const ActionSummary = text('ActionSummary', { maxLength: 512, examples: ['Suspend a principal'] });
/** Of the gateway's request: logs and answers name it. */
export const RequestReference = text('RequestReference', {
  maxLength: 256,
  examples: ['9b2f6a51-7c1e-4f57-9a07-3f1f0f2e9c10'],
});
export const ActionStatus = integer(100, 599);
export const ActionResult = oneOf('ActionResult', ['SUCCEEDED', 'FAILED']);
export type ActionResult = TypeOf<typeof ActionResult>;

const whose = { approvalId: ApprovalId, agentId: PrincipalId };

export const approvals = aggregate(
  { context: 'identity', name: 'approval', id: ApprovalId },
  {
    StepUpRequested: {
      v: 1,
      data: {
        ...whose,
        actionHash: ActionHash,
        method: ActionMethod,
        path: ActionPath,
        /** Encrypted: requests may name people. */
        query: secret(nullable(ActionQuery), 'agentId'),
        body: secret(nullable(ActionBody), 'agentId'),
        audience: Audience,
        operation: ActionOperation,
        summary: ActionSummary,
        /** Required by the action, and so of the approver. */
        scopes: Scopes,
        delegationId: nullable(DelegationId),
        taskId: nullable(TaskId),
        /** The person or service that the agent acts for; null: none. */
        onBehalfOf: nullable(PrincipalId),
        /** Agents that passed the task on. */
        priorActors: listOf('PriorActors', PrincipalId, 8),
        /** Why, in the agent's words. */
        reason: secret(Reason, 'agentId'),
        requestedAt: Instant,
        expiresAt: Instant,
      },
    },
    StepUpApproved: {
      v: 1,
      data: {
        ...whose,
        approverId: PrincipalId,
        approverEpoch: SecurityEpoch,
        /** Of the approver's sign-in. */
        authTime: Instant,
        amr: listOf('ApproverMethods', AuthenticationMethod, 16),
        approvedAt: Instant,
        /** Until then the agent gets capabilities. */
        usableUntil: Instant,
      },
    },
    StepUpDenied: { v: 1, data: { ...whose, approverId: PrincipalId, reason: Reason, deniedAt: Instant } },
    StepUpWithdrawn: { v: 1, data: { ...whose, reason: Reason, withdrawnAt: Instant } },
    CapabilityIssued: {
      v: 1,
      data: {
        ...whose,
        capabilityHash: SecretHash,
        /** Of the agent's key; null: its token is bound to none. */
        thumbprint: nullable(Thumbprint),
        clientId: nullable(ClientId),
        agentEpoch: SecurityEpoch,
        issuedAt: Instant,
        expiresAt: Instant,
      },
    },
    CapabilityConsumed: {
      v: 1,
      data: {
        ...whose,
        capabilityHash: SecretHash,
        /** Of the token that the agent presented. */
        jti: TokenId,
        requestId: RequestReference,
        /** Of the policy that required the approval; null: not known. */
        policyVersion: nullable(integer(0)),
        consumedAt: Instant,
      },
    },
    ApprovedActionAnswered: {
      v: 1,
      data: {
        ...whose,
        requestId: RequestReference,
        status: ActionStatus,
        result: ActionResult,
        answeredAt: Instant,
      },
    },
  },
);
export type ApprovalEvent = typeof approvals.Event;

export const { stream: approvalStream } = approvals;
