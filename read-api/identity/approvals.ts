/** GET /v1/approvals, /v1/approvals/:approvalId and /v1/agent-actions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Instant, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { type Problem, problem } from '../../infra/server/http/problem';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';
import { type Answer, type Identity, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { ApprovalRow, approvalsView, type ApprovalRow as Row } from '../../projections/identity/approvals/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { oneRoute, pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import type { QueryDeps } from '../kernel/row-queries';
import * as wire from './wire';

const scope = 'approvals:decide';
const access = `Needs the scope \`${scope}\`; for requests of the calling agent itself, none.`;

const fields = answerFields(ApprovalRow);
const { agentId, status, approvalId } = fields;
const Approval = record('Approval', {
  ...fields,
  scopes: wire.Scopes,
  endReason: wire.EndReason,
});

const show = toResponseOf(Approval);

const isOwn = ({ principalId, principalType }: Identity, ofAgent: unknown): boolean =>
  principalType === 'AI_AGENT' && ofAgent === principalId;

const order = [
  { field: 'requestedAt', direction: 'desc' },
  { field: 'approvalId', direction: 'desc' },
] as const;

const everybodys = pageRoute({
  path: '/v1/approvals',
  operation: 'listApprovals',
  summary: 'List requests of agents for approval, newest first',
  description: `${access} An agent names itself as \`agentId\`. Expired requests keep their status: see \`expiresAt\` and \`usableUntil\`.`,
  scopes: [],
  params: record('NoParams', {}),
  item: Approval,
  view: approvalsView,
  filters: { agentId, status, expiresAfter: Instant },
  order,
  rows: (_params, { expiresAfter: from, ...equal }) => ({
    where: definedFields(equal),
    ...(from === undefined ? {} : { between: { field: 'expiresAt' as const, from } }),
  }),
  show,
});

export const listApprovals: typeof everybodys = {
  ...everybodys,
  handle: async (reading, request) => {
    const { identity, query } = request;
    if (identity.scopes.includes(scope) || isOwn(identity, query.agentId)) return everybodys.handle(reading, request);
    return problem('forbidden', `The token lacks the scope ${scope}; an agent names itself as agentId.`);
  },
};

const missing = 'No such approval is known here.';
const unknown: Problem = problem('not-found', missing);

const anyApproval = oneRoute({
  path: '/v1/approvals/:approvalId',
  operation: 'getApproval',
  summary: 'Get a request for approval, or wait until it is decided',
  description: access,
  scopes: [],
  params: record('ApprovalParams', { approvalId }),
  item: Approval,
  query: (key) => ({ view: approvalsView, key, missing, show }),
});

const maxWaitSeconds = 25;
const pauseMilliseconds = 500;

const bodyOf = (answer: Answer): Partial<Row> => ('body' in answer ? (answer.body as Partial<Row>) : {});

type GetRequest = RouteRequest<{ readonly approvalId: Row['approvalId'] }, { readonly waitSeconds?: number }, unknown>;

const isOver = async (signal: AbortSignal): Promise<boolean> =>
  sleep(pauseMilliseconds, false, { signal }).catch(() => true);

/** The request as it is, or, within the seconds, as soon as it is no longer pending. */
const awaitDecision = async (reading: QueryDeps, request: GetRequest): Promise<Answer> => {
  const { waitSeconds = 0 } = request.query;
  const rest = { ...request, query: undefined };
  let answer = await anyApproval.handle(reading, rest);
  const until = performance.now() + waitSeconds * 1_000;
  while (bodyOf(answer).status === 'PENDING' && performance.now() < until && !(await isOver(request.signal)))
    answer = await anyApproval.handle(reading, rest);
  return answer;
};

export const getApproval = route<QueryDeps>()({
  ...anyApproval,
  description: `${access} With \`waitSeconds\`, of at most ${maxWaitSeconds}, it answers as soon as a person has decided.`,
  query: record(
    'GetApprovalQuery',
    {},
    { waitSeconds: integerParameter(`a whole number from 0 to ${maxWaitSeconds}`, { maximum: maxWaitSeconds }) },
  ),
  handle: async (reading, request) => {
    const { identity } = request;
    const isSeen = (answer: Answer): boolean =>
      identity.scopes.includes(scope) || !('body' in answer) || isOwn(identity, bodyOf(answer).agentId);
    const first = await anyApproval.handle(reading, { ...request, query: undefined });
    if (!isSeen(first)) return unknown;
    return bodyOf(first).status === 'PENDING' ? awaitDecision(reading, request) : first;
  },
});

const Decision = oneOf('AgentActionDecision', ['STEP_UP_REQUIRED']);

/** The audit record of specification section 6. */
const AgentAction = record('AgentAction', {
  initiatorId: fields.onBehalfOf,
  agentId,
  delegationId: fields.delegationId,
  taskId: fields.taskId,
  requestId: fields.requestId,
  tool: fields.audience,
  /** Method and path. */
  resource: text('ActedResource', { maxLength: 2_056, examples: ['POST /v1/principals/7d9f1c9e/suspend'] }),
  operation: fields.operation,
  scopes: wire.Scopes,
  policyDecision: Decision,
  policyVersion: fields.policyVersion,
  approvalId,
  approverId: fields.approverId,
  actionHash: fields.actionHash,
  jti: fields.jti,
  result: nullable(fields.result),
  httpStatus: fields.httpStatus,
  timestamp: nullable(Instant),
});

const auditRecordOf = (row: Row) => ({
  initiatorId: row.onBehalfOf,
  ...{ agentId: row.agentId, delegationId: row.delegationId, taskId: row.taskId, requestId: row.requestId },
  ...{ tool: row.audience, resource: `${row.method} ${row.path}`, operation: row.operation, scopes: row.scopes },
  ...{ policyDecision: 'STEP_UP_REQUIRED' as const, policyVersion: row.policyVersion },
  ...{ approvalId: row.approvalId, approverId: row.approverId, actionHash: row.actionHash, jti: row.jti },
  ...{ result: row.result, httpStatus: row.httpStatus, timestamp: row.consumedAt },
});

const auditScopes = ['security:read'];

export const listAgentActions = pageRoute({
  path: '/v1/agent-actions',
  operation: 'listAgentActions',
  summary: 'List what agents did with the approval of a person, newest request first',
  description:
    'The audit record of each approved action that was done: initiator, agent, delegation, task, request, tool, resource, scopes, decision of the policy, ' +
    'approval, token and result. `result` is null where the gateway did not report the answer.',
  scopes: auditScopes,
  params: record('NoParams', {}),
  item: AgentAction,
  view: approvalsView,
  filters: { agentId, agentIds: IdList, initiatorIds: IdList },
  order,
  rows: (_params, filters) => ({
    where: {
      status: 'CONSUMED' as const,
      ...definedFields({
        agentId: filters.agentId ?? idsIn(filters.agentIds),
        onBehalfOf: idsIn(filters.initiatorIds),
      }),
    },
  }),
  show: auditRecordOf,
});

const anyAction = oneRoute({
  path: '/v1/agent-actions/:approvalId',
  operation: 'getAgentAction',
  summary: 'Get the audit record of an approved action that was done',
  scopes: auditScopes,
  params: record('AgentActionParams', { approvalId }),
  item: AgentAction,
  query: (key) => ({ view: approvalsView, key, missing: 'No such action is known here.', show: auditRecordOf }),
});

export const getAgentAction: typeof anyAction = {
  ...anyAction,
  handle: async (reading, request) => {
    const answer = await anyAction.handle(reading, request);
    // What was approved and not done is no action.
    const isDone = !('body' in answer) || (answer.body as { readonly timestamp?: unknown }).timestamp !== null;
    return isDone ? answer : problem('not-found', 'No such action is known here.');
  },
};
