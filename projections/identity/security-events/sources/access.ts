/** Rows of sessions, grants and refresh tokens. */
import { approvals } from '../../../../domain/identity/approval/events';
import { delegations } from '../../../../domain/identity/delegation/events';
import { grants } from '../../../../domain/identity/grant/events';
import { refreshFamilies } from '../../../../domain/identity/refresh-family/events';
import { sessions } from '../../../../domain/identity/session/events';
import { streamsOf } from '../../../kernel/projection';
import { ofPrincipal, type RowSource, row } from '../row';

/** RFC 8176. What else is there (`user`, `mfa`) follows from these. */
const methodNames: { readonly [method: string]: string } = {
  pwd: 'a password',
  otp: 'an authenticator app',
  hwk: 'a passkey',
  fed: 'an identity provider',
};

const methodsOf = (methods: readonly string[]): string => {
  const known = methods.flatMap((method) => methodNames[method] ?? []);
  return (known.length === 0 ? methods : known).join(' and ');
};

/** Without user agent and address: personal data in an index cannot be erased by key. */
export const sessionEvents: RowSource = streamsOf(sessions, {
  SessionOpened: (recorded) => {
    const { sessionId, methods, upstreamIssuer, expiresAt } = recorded.data;
    const details = { sessionId, methods, upstreamIssuer, expiresAt };
    return ofPrincipal(recorded, { summary: `Signed in with ${methodsOf(methods)}.`, result: 'ALLOW', details });
  },
  SessionSteppedUp: (recorded) => {
    const { sessionId, methods } = recorded.data;
    return ofPrincipal(recorded, {
      summary: `Authenticated again with ${methodsOf(methods)}.`,
      details: { sessionId, methods },
    });
  },
  ClientSignedIn: (recorded) => {
    const { sessionId, clientId } = recorded.data;
    return ofPrincipal(recorded, { summary: `Signed in to ${clientId}.`, clientId, details: { sessionId } });
  },
  ClientSignedOut: (recorded) => {
    const { sessionId, clientId } = recorded.data;
    return ofPrincipal(recorded, { summary: `Signed out of ${clientId}.`, clientId, details: { sessionId } });
  },
  SessionEnded: (recorded) => {
    const { sessionId, reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Session ended: ${reason}`, details: { sessionId, reason } });
  },
});

export const grantEvents: RowSource = streamsOf(grants, {
  GrantOpened: (recorded) => {
    const { grantId, clientId, principalType, scopes, audience, sessionId, refreshFamilyId, expiresAt } = recorded.data;
    const { workload } = recorded.data;
    const who = workload === null ? clientId : `the workload ${workload.subject}`;
    const summary = `Access granted to ${who} with ${scopes.join(', ')}.`;
    const details = { grantId, scopes, audience, sessionId, refreshFamilyId, expiresAt, workload };
    return ofPrincipal(recorded, { summary, principalType, clientId, details });
  },
  GrantRevoked: (recorded) => {
    const { grantId, reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Grant revoked: ${reason}`, details: { grantId, reason } });
  },
  GrantCompromised: (recorded) => {
    const { grantId, incidentId, reason } = recorded.data;
    const summary = `Grant marked as compromised: ${reason}`;
    return ofPrincipal(recorded, { summary, details: { grantId, incidentId, reason } });
  },
});

export const delegationEvents: RowSource = streamsOf(delegations, {
  DelegationCreated: (recorded) => {
    const { delegatorId: principalId, delegatorType: principalType, agentId, taskId, audience, scopes } = recorded.data;
    const { delegationId, grantId, parentId, expiresAt } = recorded.data;
    const summary = `The agent ${agentId} may act in the task ${taskId} with ${scopes.join(', ')}.`;
    const details = { delegationId, grantId, agentId, taskId, audience, scopes, parentId, expiresAt };
    return row(recorded, { summary, principalId, principalType, details });
  },
  DelegationRevoked: (recorded) => {
    const { delegatorId: principalId, delegationId, grantId, agentId, reason } = recorded.data;
    const summary = `Delegation to the agent ${agentId} revoked: ${reason}`;
    return row(recorded, { summary, principalId, details: { delegationId, grantId, agentId, reason } });
  },
});

export const approvalEvents: RowSource = streamsOf(approvals, {
  StepUpRequested: (recorded) => {
    const { agentId: principalId, approvalId, operation, method, path, taskId, onBehalfOf, scopes } = recorded.data;
    const summary = `The agent asks to be allowed ${operation}.`;
    const details = { approvalId, operation, method, path, scopes, taskId, onBehalfOf };
    return row(recorded, { summary, principalId, principalType: 'AI_AGENT', details });
  },
  StepUpApproved: (recorded) => {
    const { approverId: principalId, approvalId, agentId, authTime, amr } = recorded.data;
    const summary = `An action of the agent ${agentId} was approved.`;
    return row(recorded, { summary, principalId, details: { approvalId, agentId, authTime, amr } });
  },
  StepUpDenied: (recorded) => {
    const { approverId: principalId, approvalId, agentId, reason } = recorded.data;
    const summary = `An action of the agent ${agentId} was denied: ${reason}`;
    return row(recorded, { summary, principalId, details: { approvalId, agentId, reason } });
  },
  StepUpWithdrawn: (recorded) => {
    const { agentId: principalId, approvalId, reason } = recorded.data;
    const summary = `The agent withdrew its request: ${reason}`;
    return row(recorded, { summary, principalId, principalType: 'AI_AGENT', details: { approvalId, reason } });
  },
  // The use of it has a row.
  ignored: ['CapabilityIssued'],
  CapabilityConsumed: (recorded) => {
    const { agentId: principalId, approvalId, jti, requestId, policyVersion } = recorded.data;
    const summary = 'The agent did what was approved.';
    const details = { approvalId, jti, requestId, policyVersion };
    return row(recorded, { summary, principalId, principalType: 'AI_AGENT', details });
  },
  ApprovedActionAnswered: (recorded) => {
    const { agentId: principalId, approvalId, requestId, status, result } = recorded.data;
    const summary = `What was approved ${result === 'SUCCEEDED' ? 'succeeded' : 'failed'} with status ${status}.`;
    const details = { approvalId, requestId, status, result };
    return row(recorded, { summary, principalId, principalType: 'AI_AGENT', details });
  },
});

export const refreshFamilyEvents: RowSource = streamsOf(refreshFamilies, {
  // Each rotation comes with an issued token, which has a row.
  ignored: ['RefreshRotated'],
  FamilyOpened: (recorded) => {
    const { familyId, grantId, clientId, idleSeconds, expiresAt } = recorded.data;
    const details = { familyId, grantId, idleSeconds, expiresAt };
    return ofPrincipal(recorded, { summary: `Refresh tokens issued to ${clientId}.`, clientId, details });
  },
  FamilyCompromised: (recorded) => {
    const { familyId, incidentId } = recorded.data;
    const summary = 'A used refresh token was presented again: every refresh token of its grant is revoked.';
    return ofPrincipal(recorded, { summary, result: 'DENY', details: { familyId, incidentId } });
  },
  FamilyRevoked: (recorded) => {
    const { familyId, reason } = recorded.data;
    return ofPrincipal(recorded, { summary: `Refresh tokens revoked: ${reason}`, details: { familyId, reason } });
  },
});
