/** What gateways alone call: the use of a capability, and the answer of the action that it was for. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Approval, approval } from '../../../domain/identity/approval/decider';
import { ActionHash, ActionStatus, approvalStream, RequestReference } from '../../../domain/identity/approval/events';
import { TokenId } from '../../../domain/identity/denylist/events';
import { ApprovalId, ClientId } from '../../../domain/identity/ids';
import { authorityOf } from '../../../domain/identity/principal/authority-check';
import type { PrincipalState, RegisteredPrincipal } from '../../../domain/identity/principal/state';
import { missingScopes } from '../../../domain/identity/scopes';
import type { Instant } from '../../../domain/kernel/codec';
import { integer, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity, Route } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { loadDelegationChain } from '../delegations/delegation-chain';
import { loadPrincipal } from '../principals/load-principal';
import { approvalProblems } from '../problems';
import { decidingScope } from './approval-routes';

export interface CapabilityUseDeps extends CommandDeps, StreamSource {}

/** No token has this type: only the gateway signs such an identity. */
const unlessGateway = ({ principalType, principalId }: Identity): Problem | undefined =>
  principalType === 'SERVICE' && principalId === 'gateway'
    ? undefined
    : problem('forbidden', 'Only the gateway calls this.');

const ApprovalPath = record('UsedApprovalPath', { approvalId: ApprovalId });

const isActive = (state: PrincipalState): state is RegisteredPrincipal =>
  state.kind === 'registered' && state.status === 'ACTIVE';

interface Moment {
  readonly tenantId: TenantId;
  readonly at: Instant;
}

const isDelegationOpen = async (
  source: StreamSource,
  moment: Moment,
  { delegationId, agentId }: Approval,
): Promise<Either<EventStoreFault, boolean>> => {
  if (delegationId === null) return right(true);
  const chain = await loadDelegationChain(source, moment, delegationId);
  if (isLeft(chain)) return chain;
  return right(chain.right?.[0].delegation.agentId === agentId);
};

/** Of the log as it is now: a view may not know of a revocation yet. */
const isInForce = async (
  source: StreamSource,
  moment: Moment,
  state: Approval,
): Promise<Either<EventStoreFault, boolean>> => {
  const { tenantId } = moment;
  const { agentId, approved, capability, scopes } = state;
  if (approved === null || capability === null) return right(false);
  const [agent, approver, open] = await Promise.all([
    loadPrincipal(source, { tenantId, principalId: agentId }),
    loadPrincipal(source, { tenantId, principalId: approved.approverId }),
    isDelegationOpen(source, moment, state),
  ]);
  if (isLeft(agent)) return agent;
  if (isLeft(approver)) return approver;
  if (isLeft(open)) return open;
  const acts = isActive(agent.right) && agent.right.securityEpoch === capability.agentEpoch;
  const mayApprove =
    isActive(approver.right) &&
    approver.right.grantsNotBeforeEpoch <= approved.approverEpoch &&
    missingScopes([decidingScope, ...scopes], authorityOf(approver.right)).length === 0;
  return right(acts && mayApprove && open.right);
};

const KeyThumbprint = text('AgentKeyThumbprint', {
  ...{ minLength: 43, maxLength: 43, pattern: '[A-Za-z0-9_-]{43}' },
  examples: ['NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs'],
});

const UsedCapability = record('UsedCapability', {
  /** The part after the approval's id. */
  secret: text('CapabilitySecret', { maxLength: 64, examples: ['q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s'] }),
  /** Of the request as it arrived. */
  actionHash: ActionHash,
  agentId: PrincipalId,
  keyThumbprint: nullable(KeyThumbprint),
  clientId: nullable(ClientId),
  jti: TokenId,
  requestId: RequestReference,
  policyVersion: nullable(integer(0)),
});

export const consumeCapabilityRoute = commandRoute<CapabilityUseDeps>()({
  method: 'post',
  path: '/v1/approvals/:approvalId/consume',
  operation: 'consumeCapability',
  summary: 'Use a capability up',
  scopes: [],
  params: ApprovalPath,
  body: UsedCapability,
  answer: ApprovalPath,
  decider: approval,
  problems: approvalProblems,
  prepare: async ({ tenantId, identity, params: { approvalId }, body, at }, deps) => {
    const stranger = unlessGateway(identity);
    if (stranger !== undefined) return left(stranger);
    const stream = approvalStream(tenantId, approvalId);
    const found = await loadStream(deps, approval, stream);
    if (isLeft(found)) return left(problemOf(found.left, {}));
    const moment = { tenantId, at };
    const inForce = found.right.kind === 'none' ? right(false) : await isInForce(deps, moment, found.right);
    if (isLeft(inForce)) return left(problemOf(inForce.left, {}));
    const { secret, actionHash, agentId: by, keyThumbprint: thumbprint, clientId, jti, requestId } = body;
    const { policyVersion } = body;
    const capabilityHash = createHash('sha256').update(secret).digest('hex');
    const presented = { by, capabilityHash, actionHash, thumbprint, clientId, jti, requestId, policyVersion };
    const command = { type: 'ConsumeCapability' as const, ...presented, isInForce: inForce.right, at };
    return right({ stream, command, actor: by, answer: { approvalId } });
  },
});

export const recordAnswerRoute = commandRoute<CapabilityUseDeps>()({
  method: 'post',
  path: '/v1/approvals/:approvalId/answer',
  operation: 'recordActionAnswer',
  summary: 'Record how an approved action was answered',
  scopes: [],
  params: ApprovalPath,
  body: record('ActionAnswer', { requestId: RequestReference, status: ActionStatus }),
  answer: ApprovalPath,
  decider: approval,
  problems: approvalProblems,
  prepare: ({ tenantId, identity, params: { approvalId }, body, at }) => {
    const stranger = unlessGateway(identity);
    if (stranger !== undefined) return left(stranger);
    const command = { type: 'RecordAnswer' as const, ...body, at };
    return right({ stream: approvalStream(tenantId, approvalId), command, answer: { approvalId } });
  },
});

/** Not part of the public API. */
export const ofGateway = <Deps, Params, Query, Body>(
  route: Route<Deps, Params, Query, Body>,
): Route<Deps, Params, Query, Body> => ({ ...route, page: true });
