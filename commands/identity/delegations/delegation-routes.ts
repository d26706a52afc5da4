/** Routes that make and revoke delegations. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type CreateDelegation,
  type Delegation,
  type DelegationState,
  delegation,
  maxDelegationSeconds,
} from '../../../domain/identity/delegation/decider';
import { delegationStream } from '../../../domain/identity/delegation/events';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import { Audience, type ClientId, DelegationId, GrantId, TaskId } from '../../../domain/identity/ids';
import { Scopes } from '../../../domain/identity/scopes';
import { Instant, integer, record } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { callerOf } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import { formatPrincipalClientId } from '../clients/client-id';
import type { ClientSource } from '../clients/load-client';
import { revokeGrant } from '../grants/revoke-grant';
import { loadPrincipal } from '../principals/load-principal';
import { WithReason } from '../principals/principal-routes';
import { delegationProblems, familyProblems, grantProblems, liveDelegationProblems } from '../problems';
import { countLiveDelegation, uncountLiveDelegation } from './count-live';
import { loadDelegator } from './load-delegator';

export type DelegationDeps = CommandDeps & ClientSource;

const NewDelegation = record('NewDelegation', {
  agentId: PrincipalId,
  taskId: TaskId,
  audience: Audience,
  scopes: Scopes,
  expiresInSeconds: integer(60, maxDelegationSeconds),
});

const DelegationAnswer = record('DelegationAnswer', {
  delegationId: DelegationId,
  grantId: GrantId,
  agentId: PrincipalId,
  taskId: TaskId,
  audience: Audience,
  scopes: Scopes,
  expiresAt: Instant,
});

type Creation = CommandRequest<unknown, typeof NewDelegation._A>;

const answerOf = ({ delegationId, grantId, agentId, taskId, audience, scopes, expiresAt }: Delegation) => ({
  ...{ delegationId, grantId, agentId, taskId, audience, scopes, expiresAt },
});

const creationOf = async (
  deps: DelegationDeps,
  request: Creation,
  delegationId: DelegationId,
): Promise<Either<Problem, CreateDelegation>> => {
  const { tenantId, at, body } = request;
  const [delegator, agent] = await Promise.all([
    loadDelegator(deps, request),
    loadPrincipal(deps, { tenantId, principalId: body.agentId }),
  ]);
  if (isLeft(delegator)) return left(problemOf(delegator.left, {}));
  if (isLeft(agent)) return left(problemOf(agent.left, {}));
  if (delegator.right === undefined)
    return left(problem('forbidden', 'The caller is not a principal that can delegate.'));
  const grantId = request.derivedId('grant') as GrantId;
  const made = { delegator: delegator.right, agent: agent.right, at };
  return right({ type: 'CreateDelegation', delegationId, grantId, ...body, ...made });
};

/** The delegation as it will be recorded, so that its grant can be opened before it. */
const decided = (
  command: CreateDelegation,
  state: DelegationState,
): Either<Problem, { readonly state: DelegationState }> => {
  const decision = delegation.decide(command, state);
  if (isLeft(decision)) return left(problemOf(decision.left, delegationProblems));
  return right({ state: decision.right.reduce(delegation.evolve, state) });
};

/** Identity headers of before their methods were signed have none. */
const methodsOf = ({ multiFactor, methods = multiFactor === true ? ['mfa'] : [] }: Identity): string[] => [...methods];

/** Before the delegation, so that no delegation lacks its grant. Without one, a grant has no tokens and expires. */
const openDelegationGrant = async (
  deps: DelegationDeps,
  { tenantId, identity, commandId, at }: Creation,
  made: Delegation,
): Promise<Problem | undefined> => {
  const { grantId, delegatorId: principalId, delegatorType: principalType, agentId, sessionId, expiresAt } = made;
  const authenticatedAt =
    identity.authenticatedAt === undefined ? at : (new Date(identity.authenticatedAt).toISOString() as Instant);
  const opened = await handle(deps, grant, {
    stream: grantStream(tenantId, grantId),
    command: {
      type: 'OpenGrant',
      data: {
        ...{ grantId, principalId, principalType, sessionId, expiresAt, createdAt: at, authenticatedAt },
        clientId: formatPrincipalClientId({ tenantId, principalId: agentId }) as ClientId,
        scopes: made.scopes,
        audience: [made.audience],
        methods: methodsOf(identity),
        ...{ refreshFamilyId: null, clientEpoch: null, idTokenClaims: [], workload: null },
      },
    },
    commandId: derivedId('open-delegation-grant', tenantId, grantId),
    tenant: tenantId,
    actor: callerOf(identity),
    correlationId: commandId,
    fingerprint: grantId,
    fresh: true,
  });
  return isLeft(opened) ? problemOf(opened.left, grantProblems) : undefined;
};

export const createDelegationRoute = commandRoute<DelegationDeps>()({
  method: 'post',
  path: '/v1/delegations',
  operation: 'createDelegation',
  danger: true,
  summary: 'Let an agent act for the caller in a task',
  description:
    'The agent gets tokens for one audience, with the scopes that are in the delegation, in its own policy and required by the task. ' +
    'The caller needs every scope that it delegates, and may itself get tokens for the audience. The delegation ends after `expiresInSeconds`, at most ' +
    '8 hours, and with the sign-in of the caller. A principal has at most 100 live delegations, a tenant 10,000. An agent that acts by a delegation can pass its task on, to three agents in a row.',
  scopes: ['delegations:create'],
  body: NewDelegation,
  example: {
    agentId: '7d9f1c9e-2f0a-5b4e-8a51-0f1e2d3c4b5a',
    taskId: 'ticket-4711',
    audience: 'septet',
    scopes: ['principals:read'],
    expiresInSeconds: 3600,
  },
  created: true,
  answer: DelegationAnswer,
  decider: delegation,
  problems: { ...delegationProblems, ...liveDelegationProblems },
  prepare: async (request, deps) => {
    const { tenantId } = request;
    const delegationId = request.derivedId('delegation') as DelegationId;
    const stream = delegationStream(tenantId, delegationId);
    const [command, existing] = await Promise.all([
      creationOf(deps, request, delegationId),
      loadStream(deps, delegation, stream),
    ]);
    if (isLeft(command)) return command;
    if (isLeft(existing)) return left(problemOf(existing.left, {}));
    const made = decided(command.right, existing.right);
    if (isLeft(made)) return made;
    if (made.right.state.kind === 'none') return left(problem('conflict', 'The delegation was not made.'));
    const counted =
      existing.right.kind === 'none' ? await countLiveDelegation(deps, request, made.right.state) : undefined;
    const refused = counted ?? (await openDelegationGrant(deps, request, made.right.state));
    if (refused !== undefined) return left(refused);
    const answer = answerOf(made.right.state);
    return right({
      stream,
      command: command.right,
      answer,
      fresh: true,
      location: `/v1/delegations/${delegationId}`,
    });
  },
});

/** Null: any delegator. */
const requiredDelegator = ({ scopes, principalId }: Identity): Either<Problem, string | null> => {
  if (scopes.includes('grants:write')) return right(null);
  return scopes.includes('delegations:create') || scopes.includes('account:write')
    ? right(principalId)
    : left(
        problem(
          'forbidden',
          'The token lacks the scope grants:write; for your own delegations, delegations:create or account:write.',
        ),
      );
};

/** The grant ends first: its tokens are denied before the delegation is seen to have ended. */
const endGrant = async (
  deps: CommandDeps,
  { tenantId, commandId, identity }: { tenantId: TenantId; commandId: string; identity: Identity },
  { grantId, reason }: { readonly grantId: GrantId; readonly reason: string },
): Promise<Problem | undefined> => {
  const order = { tenantId, reason, ownedBy: null, actor: callerOf(identity), requestId: commandId, commandId };
  const ended = await revokeGrant(deps, grantId, order);
  return isLeft(ended) ? problemOf(ended.left, { ...grantProblems, ...familyProblems }) : undefined;
};

export const revokeDelegationRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/delegations/:delegationId/revoke',
  operation: 'revokeDelegation',
  sensitive: true,
  summary: 'Revoke a delegation: the agent gets no more tokens, and those that it has are refused at once',
  description:
    'Own ones need the scope `delegations:create` or `account:write`; those of any principal need `grants:write`. ' +
    'Delegations by which the agent passed the task on end, too. Gateways enforce it from the `Position` of the answer on.',
  scopes: [],
  params: record('DelegationPath', { delegationId: DelegationId }),
  body: WithReason,
  answer: record('RevokedDelegation', { delegationId: DelegationId }),
  decider: delegation,
  problems: { ...delegationProblems, ...grantProblems, ...familyProblems },
  prepare: async (request, deps) => {
    const { params, body, tenantId, identity } = request;
    const { delegationId } = params;
    const ownedBy = requiredDelegator(identity);
    if (isLeft(ownedBy)) return ownedBy;
    const stream = delegationStream(tenantId, delegationId);
    const found = await loadStream(deps, delegation, stream);
    if (isLeft(found)) return left(problemOf(found.left, {}));
    const command = { type: 'RevokeDelegation', reason: body.reason, ownedBy: ownedBy.right } as const;
    const decision = delegation.decide(command, found.right);
    if (isLeft(decision)) return left(problemOf(decision.left, delegationProblems));
    const [revoked] = decision.right;
    const refused =
      revoked === undefined || found.right.kind === 'none'
        ? undefined
        : ((await endGrant(deps, request, { grantId: revoked.data.grantId, reason: body.reason })) ??
          (await uncountLiveDelegation(deps, request, found.right)));
    return refused === undefined ? right({ stream, command, answer: { delegationId } }) : left(refused);
  },
});
