/** Routes by which agents request approvals, people decide, and agents get capabilities. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { canonicalAction, splitTarget } from '../../../domain/identity/approval/action';
import { canonicalJson } from '../../../domain/identity/approval/canonical-json';
import {
  type Approver,
  type ApproveStepUp,
  approval,
  capabilitySeconds,
  type DenyStepUp,
  type RequestStepUp,
  requestSeconds,
  type WithdrawStepUp,
} from '../../../domain/identity/approval/decider';
import {
  ActionHash,
  ActionMethod,
  ActionOperation,
  ActionSummary,
  approvalStream,
  maxActionBody,
  maxActionTarget,
} from '../../../domain/identity/approval/events';
import { maxWaitingOfAgent } from '../../../domain/identity/approval/waiting-approvals';
import { delegation } from '../../../domain/identity/delegation/decider';
import { delegationStream } from '../../../domain/identity/delegation/events';
import {
  ApprovalId,
  AuthenticationMethod,
  ClientId,
  DelegationId,
  TaskId,
  Thumbprint,
} from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Scope, Scopes } from '../../../domain/identity/scopes';
import { described, Instant, record, text } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { Kms } from '../../../infra/ports/kms';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { WithReason } from '../principals/principal-routes';
import { actionProblems, approvalProblems, waitingApprovalProblems } from '../problems';
import { countWaitingApproval, uncountDecidedApproval } from './count-waiting';
import { type ApprovableOperation, findOperation } from './find-operation';

export interface ApprovalDeps extends CommandDeps, StreamSource {
  readonly kms: Kms;
  /** The first is the gateway's own. */
  readonly audiences: readonly string[];
}

const ActionTarget = text('ActionTarget', {
  content: 'any',
  maxLength: maxActionTarget,
  pattern: '\\/[!-~]*',
  examples: ['/v1/principals/7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a/suspend'],
});
const AnyJson = described(t.unknown, { description: 'The JSON body of the request, as it will be sent.' });

const NewApproval = record(
  'NewApproval',
  {
    method: ActionMethod,
    /** Path and query. */
    target: ActionTarget,
    reason: Reason,
  },
  { body: AnyJson },
);
const ApprovalAnswer = record('ApprovalAnswer', {
  approvalId: ApprovalId,
  actionHash: ActionHash,
  operation: ActionOperation,
  summary: ActionSummary,
  scopes: Scopes,
  expiresAt: Instant,
});
const ApprovalPath = record('ApprovalPath', { approvalId: ApprovalId });

/** Lets people decide on requests. */
export const decidingScope = 'approvals:decide';

const refusal = (code: keyof typeof actionProblems, detail: string): Either<Problem, never> =>
  left(problemOf({ kind: 'rejection', code, detail }, actionProblems));

type Creation = CommandRequest<unknown, typeof NewApproval._A>;

const readableOperation = ({ method, target }: Creation['body']): Either<Problem, ApprovableOperation> => {
  const found = findOperation(method, splitTarget(target).path);
  if (found === undefined) return refusal('action-unknown', 'No operation of the API has this method and path.');
  if (!found.isReadable)
    return refusal('action-not-approvable', 'A file or a stream cannot be approved: nobody can read it in advance.');
  return right(found);
};

/** Canonical; null: the request has none. */
const bodyText = ({ method, body }: Creation['body']): Either<Problem, string | null> => {
  if (body === undefined) return right(null);
  const canonical = method === 'GET' ? undefined : canonicalJson(body);
  if (canonical === undefined) return refusal('action-not-approvable', 'The request takes no body such as this.');
  return canonical.length <= maxActionBody
    ? right(canonical)
    : refusal('action-not-approvable', `A body that is approved has at most ${maxActionBody} characters.`);
};

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

/** What routes check by themselves is not documented: the approver needs what the agent's token has. */
const neededScopes = ({ scopes }: ApprovableOperation, { scopes: held }: Identity): Scope[] =>
  (scopes.length > 0 ? scopes : held).filter(Scope.is);

const actionOf = (
  { audiences }: ApprovalDeps,
  { body: wanted, tenantId, identity }: Creation,
): Either<Problem, RequestStepUp['action']> => {
  const operation = readableOperation(wanted);
  if (isLeft(operation)) return operation;
  const body = bodyText(wanted);
  if (isLeft(body)) return body;
  const { method, target, reason } = wanted;
  const { delegationId = null, taskId = null, onBehalfOf = null, priorActors = [] } = identity.delegation ?? {};
  const agentId = identity.principalId;
  const [audience = ''] = audiences;
  const request = { method, ...splitTarget(target), audience };
  const exact = { ...request, body: wanted.body, tenantId, agentId, delegationId, taskId };
  const canonical = canonicalAction(exact);
  if (canonical === undefined || !PrincipalId.is(agentId))
    return refusal('action-not-approvable', 'The request takes no body such as this.');
  const { operation: name, summary } = operation.right;
  return right({
    ...{ agentId, actionHash: sha256(canonical), ...request, body: body.right, operation: name, summary, reason },
    scopes: neededScopes(operation.right, identity),
    delegationId: DelegationId.is(delegationId) ? delegationId : null,
    taskId: TaskId.is(taskId) ? taskId : null,
    onBehalfOf: PrincipalId.is(onBehalfOf) ? onBehalfOf : null,
    priorActors: priorActors.map(({ principalId }) => principalId).filter(PrincipalId.is),
  });
};

const delegationEnd = async (
  deps: ApprovalDeps,
  { tenantId }: Creation,
  delegationId: DelegationId | null,
): Promise<Either<Problem, Instant | null>> => {
  if (delegationId === null) return right(null);
  const found = await loadStream(deps, delegation, delegationStream(tenantId, delegationId));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  return right(found.right.kind === 'delegation' ? found.right.expiresAt : null);
};

const minutes = (seconds: number): string => `${seconds / 60} minutes`;

export const requestApprovalRoute = commandRoute<ApprovalDeps>()({
  method: 'post',
  path: '/v1/approvals',
  operation: 'requestApproval',
  sensitive: false,
  summary: 'Ask a person to approve one action of an agent',
  description:
    'For a request that was refused with `STEP_UP_REQUIRED`: its method, path with query, and JSON body, exactly as the agent will repeat it. ' +
    'The approval is bound to the SHA-256 of them in canonical form (RFC 8785), with audience, tenant, agent, delegation and task. ' +
    `It waits for ${minutes(requestSeconds)}, and no longer than the delegation. Only agents ask, and at most ${maxWaitingOfAgent} requests of an agent wait; files and streams cannot be approved. Bodies have at most ${maxActionBody} characters.`,
  scopes: [],
  body: NewApproval,
  example: {
    method: 'POST',
    target: '/v1/principals/7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a/suspend',
    body: { reason: 'Left the company.' },
    reason: 'The ticket asks for it.',
  },
  created: true,
  answer: ApprovalAnswer,
  decider: approval,
  problems: { ...approvalProblems, ...actionProblems, ...waitingApprovalProblems },
  prepare: async (request, deps) => {
    const { tenantId, identity, at } = request;
    const action = actionOf(deps, request);
    if (isLeft(action)) return action;
    const endsAt = await delegationEnd(deps, request, action.right.delegationId);
    if (isLeft(endsAt)) return endsAt;
    const approvalId = request.derivedId('approval') as ApprovalId;
    const stream = approvalStream(tenantId, approvalId);
    const isAgent = identity.principalType === 'AI_AGENT';
    const command = {
      ...{ type: 'RequestStepUp' as const, approvalId, action: action.right, isAgent },
      ...{ held: identity.scopes, endsAt: endsAt.right, at },
    };
    const existing = await loadStream(deps, approval, stream);
    if (isLeft(existing)) return left(problemOf(existing.left, {}));
    const decision = approval.decide(command, existing.right);
    if (isLeft(decision)) return left(problemOf(decision.left, approvalProblems));
    const made = decision.right.reduce(approval.evolve, existing.right);
    if (made.kind === 'none') return left(problem('conflict', 'The request was not made.'));
    const refused = existing.right.kind === 'none' ? await countWaitingApproval(deps, request, made) : undefined;
    if (refused !== undefined) return left(refused);
    const { actionHash, operation, summary, scopes, expiresAt } = made;
    const answer = { approvalId, actionHash, operation, summary, scopes, expiresAt };
    return right({ stream, command, answer, fresh: true, location: `/v1/approvals/${approvalId}` });
  },
});

const methodsOf = ({ methods = [], multiFactor }: Identity): readonly string[] =>
  methods.length === 0 && multiFactor === true ? ['mfa'] : methods;

const approverOf = ({ identity }: Pick<CommandRequest<unknown, unknown>, 'identity'>): Approver => {
  const { principalId, principalType, scopes, securityEpoch = 1, authenticatedAt } = identity;
  return {
    principalId: principalId as PrincipalId,
    isPerson: principalType === 'HUMAN' && identity.delegation === undefined,
    held: scopes,
    securityEpoch,
    authenticatedAt: authenticatedAt === undefined ? null : (new Date(authenticatedAt).toISOString() as Instant),
    methods: methodsOf(identity).filter(AuthenticationMethod.is),
  };
};

const DecidedApproval = record('DecidedApproval', { approvalId: ApprovalId });

/** The request waits no longer, so it is not counted any more. */
const decide = async <Command extends ApproveStepUp | DenyStepUp | WithdrawStepUp>(
  deps: ApprovalDeps,
  request: CommandRequest<unknown, unknown>,
  { approvalId, command }: { readonly approvalId: ApprovalId; readonly command: Command },
) => {
  const refused = await uncountDecidedApproval(deps, request, { approvalId, command });
  const stream = approvalStream(request.tenantId, approvalId);
  return refused === undefined ? right({ stream, command, answer: { approvalId } }) : left(refused);
};

export const approveRoute = commandRoute<ApprovalDeps>()({
  method: 'post',
  path: '/v1/approvals/:approvalId/approve',
  operation: 'approveAction',
  danger: true,
  summary: 'Approve one action of an agent',
  description:
    'By a person with every scope that the action needs, who signed in within the last five minutes, and for whom the agent does not act. ' +
    '`actionHash` is that of the action which the person was shown. ' +
    `The agent then gets a capability of at most ${minutes(capabilitySeconds)}, which one repetition of exactly this request uses up.`,
  scopes: [decidingScope],
  params: ApprovalPath,
  body: record('ApproveAction', { actionHash: ActionHash }),
  answer: DecidedApproval,
  decider: approval,
  problems: approvalProblems,
  prepare: (request, deps) => {
    const { approvalId } = request.params;
    const command = { type: 'ApproveStepUp' as const, approver: approverOf(request), ...request.body, at: request.at };
    return decide(deps, request, { approvalId, command });
  },
});

export const denyRoute = commandRoute<ApprovalDeps>()({
  method: 'post',
  path: '/v1/approvals/:approvalId/deny',
  operation: 'denyAction',
  sensitive: true,
  summary: 'Deny an action of an agent, also one that was approved and not done yet',
  scopes: [decidingScope],
  params: ApprovalPath,
  body: WithReason,
  answer: DecidedApproval,
  decider: approval,
  problems: approvalProblems,
  prepare: (request, deps) => {
    const { params, body, at } = request;
    const command = { type: 'DenyStepUp' as const, approver: approverOf(request), reason: body.reason, at };
    return decide(deps, request, { approvalId: params.approvalId, command });
  },
});

export const withdrawRoute = commandRoute<ApprovalDeps>()({
  method: 'post',
  path: '/v1/approvals/:approvalId/withdraw',
  operation: 'withdrawApproval',
  sensitive: false,
  summary: 'Withdraw a request for approval',
  description: 'By the agent of the request. What was approved and not used is withdrawn, too.',
  scopes: [],
  params: ApprovalPath,
  body: WithReason,
  answer: DecidedApproval,
  decider: approval,
  problems: approvalProblems,
  prepare: (request, deps) => {
    const { identity, params, body, at } = request;
    const command = { type: 'WithdrawStepUp' as const, by: identity.principalId, reason: body.reason, at };
    return decide(deps, request, { approvalId: params.approvalId, command });
  },
});

/** It names its approval, so that the gateway need not search for it. */
const CapabilityText = text('Capability', {
  maxLength: 192,
  examples: ['7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a.q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s'],
});

export const issueCapabilityRoute = commandRoute<ApprovalDeps>()({
  method: 'post',
  path: '/v1/approvals/:approvalId/capability',
  operation: 'issueCapability',
  sensitive: true,
  summary: 'Get the capability for an approved action',
  description:
    'Only the agent that asked gets it, and only this response has it. It is sent in the header `Septet-Capability` of exactly the approved request, ' +
    `by the same agent with the same key and client, within ${minutes(capabilitySeconds)}; one request uses it up. Another one replaces it.`,
  scopes: [],
  params: ApprovalPath,
  created: true,
  answer: record('CapabilityAnswer', { capability: CapabilityText, notAfter: Instant }),
  decider: approval,
  problems: approvalProblems,
  prepare: async ({ tenantId, identity, params: { approvalId }, commandId, at }, deps) => {
    // Derived, so that a retry gets the same one.
    const secret = await deps.kms.derive(JSON.stringify(['capability', tenantId, approvalId, commandId]));
    if (isLeft(secret)) return left(problemOf(secret.left, {}));
    const { principalId, keyThumbprint = null, clientId = null, securityEpoch = 1 } = identity;
    const capability = {
      capabilityHash: sha256(secret.right),
      thumbprint: Thumbprint.is(keyThumbprint) ? keyThumbprint : null,
      clientId: ClientId.is(clientId) ? clientId : null,
      agentEpoch: securityEpoch,
    };
    return right({
      stream: approvalStream(tenantId, approvalId),
      command: { type: 'IssueCapability' as const, by: principalId, capability, at },
      answer: { capability: `${approvalId}.${secret.right}`, notAfter: plusSeconds(at, capabilitySeconds) },
    });
  },
});
