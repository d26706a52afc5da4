/** Routes about the APIs of a tenant and their tools. */
import { createHash } from 'node:crypto';
import { isLeft, left, right } from 'fp-ts/Either';
import { ApiId, Audience, AudienceClaimId, platformTenant } from '../../../domain/identity/ids';
import { audienceClaim, audienceClaimStream } from '../../../domain/identity/protected-api/audience-claim';
import { apiRegistry } from '../../../domain/identity/protected-api/decider';
import { apiFields, protectedApiStream, ToolName, toolFields } from '../../../domain/identity/protected-api/events';
import { record } from '../../../domain/kernel/codec';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps, CommandRequest } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { WithReason } from '../principals/principal-routes';
import { protectedApiProblems } from '../problems';
import { loadApiRegistry } from './load-registry';

export interface ProtectedApiDeps extends CommandDeps {
  readonly issuer: string;
  readonly audiences: readonly string[];
}

type Occasion = Pick<CommandRequest<unknown, unknown>, 'tenantId' | 'identity' | 'commandId' | 'at'>;

const claimIdOf = (audience: string): AudienceClaimId => {
  const id = createHash('sha256').update(audience).digest('hex');
  if (!AudienceClaimId.is(id)) throw new Error('an audience has no valid id');
  return id;
};

/** In a stream of the platform, so the actor is named with its tenant. */
const claimAudience = async (
  deps: CommandDeps,
  { tenantId, identity, commandId, at }: Occasion,
  audience: string,
): Promise<Problem | undefined> => {
  const claimed = await handle(deps, audienceClaim, {
    stream: audienceClaimStream(claimIdOf(audience)),
    command: { type: 'ClaimAudience', tenantId, at },
    commandId: derivedId('claim-audience', commandId, audience),
    tenant: platformTenant,
    actor: `${tenantId}.${identity.principalId}`,
    correlationId: commandId,
    fingerprint: [tenantId, audience],
  });
  return isLeft(claimed) ? problemOf(claimed.left, protectedApiProblems) : undefined;
};

const commonRoute = {
  scopes: ['apis:write'],
  decider: apiRegistry,
  problems: protectedApiProblems,
};
const ApiAnswer = record('ApiAnswer', { apiId: ApiId });
const ApiPath = record('ApiPath', { apiId: ApiId });
const ToolAnswer = record('ApiToolAnswer', { apiId: ApiId, tool: ToolName });
const ToolPath = record('ApiToolPath', { apiId: ApiId, tool: ToolName });

const exampleScopes = [
  { name: 'tickets:read', description: 'See tickets' },
  { name: 'tickets:write', description: 'See and change tickets' },
];
const narrowingNote =
  'Tokens that were issued last out their minutes; the next ones have only what is registered then. Revoke grants to end them at once.';

export const registerApiRoute = commandRoute<ProtectedApiDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/apis',
  operation: 'registerApi',
  example: { name: 'Ticket desk', audience: 'https://tickets.example.org', scopes: exampleScopes },
  danger: true,
  summary: 'Register an API that tokens are issued for',
  description:
    '`audience` is the URI by which clients name it as a `resource` (RFC 8707), and the `aud` of its tokens: https or a urn, without a fragment, and of no other ' +
    'API of the installation. Its scopes are of this API alone, and are given to principals, applications and trust rules as Septet’s own are; administrators, ' +
    'and who has `apis:write`, can give all of them. A tenant has at most 100 APIs, each with 1 to 50 scopes and at most 100 tools.',
  body: record('NewApi', { audience: Audience, ...apiFields }),
  created: true,
  answer: ApiAnswer,
  prepare: async ({ body: { audience, ...fields }, ...request }, deps) => {
    const { tenantId, at } = request;
    const apiId = request.derivedId('api') as ApiId;
    const { issuer, audiences } = deps;
    const command = { type: 'RegisterApi' as const, apiId, audience, fields, home: { issuer, audiences }, at };
    const registry = await loadApiRegistry(deps, tenantId);
    if (isLeft(registry)) return left(problemOf(registry.left, {}));
    const decided = apiRegistry.decide(command, registry.right);
    if (isLeft(decided)) return left(problemOf(decided.left, protectedApiProblems));
    // Before the API: a crash in between leaves an audience of the tenant without an API.
    const refused = await claimAudience(deps, request, audience);
    if (refused !== undefined) return left(refused);
    return right({
      stream: protectedApiStream(tenantId),
      command,
      answer: { apiId },
      location: `/v1/apis/${apiId}`,
    });
  },
});

export const changeApiRoute = commandRoute<ProtectedApiDeps>()({
  ...commonRoute,
  method: 'put',
  path: '/v1/apis/:apiId',
  operation: 'changeApi',
  example: { name: 'Ticket desk', scopes: exampleScopes },
  danger: true,
  summary: 'Replace the name and scopes of an API',
  description: `The audience stays. A tool is of no use without a scope that it requires. ${narrowingNote}`,
  params: ApiPath,
  body: record('ChangedApi', apiFields),
  answer: ApiAnswer,
  prepare: ({ params: { apiId }, body: fields, tenantId }) =>
    right({
      stream: protectedApiStream(tenantId),
      command: { type: 'ChangeApi' as const, apiId, fields },
      answer: { apiId },
    }),
});

export const removeApiRoute = commandRoute<ProtectedApiDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/apis/:apiId/remove',
  operation: 'removeApi',
  sensitive: true,
  summary: 'Remove an API with its tools: no more tokens are issued for it',
  description: `Its audience stays the organization’s, and its scopes the audience’s. ${narrowingNote}`,
  params: ApiPath,
  body: WithReason,
  answer: ApiAnswer,
  prepare: ({ params: { apiId }, body: { reason }, tenantId }) =>
    right({ stream: protectedApiStream(tenantId), command: { type: 'RemoveApi', apiId, reason }, answer: { apiId } }),
});

export const setToolRoute = commandRoute<ProtectedApiDeps>()({
  ...commonRoute,
  method: 'put',
  path: '/v1/apis/:apiId/tools/:tool',
  operation: 'setApiTool',
  example: {
    description: 'Closes a ticket',
    requiredScopes: ['tickets:write'],
    agentScopes: ['tickets:write'],
    stepUp: false,
    principalTypes: ['HUMAN', 'AI_AGENT'],
  },
  danger: true,
  summary: 'Set a tool of an API, and what agents may use through it',
  description:
    'A token request names it as `tool` beside the `resource`. An agent gets only scopes of `agentScopes`; without a tool’s name, those of all tools that need no ' +
    `approval. \`stepUp\`: each use by an agent needs the approval of a person. ${narrowingNote}`,
  params: ToolPath,
  body: record('NewApiTool', toolFields),
  answer: ToolAnswer,
  prepare: ({ params: { apiId, tool }, body: fields, tenantId }) =>
    right({
      stream: protectedApiStream(tenantId),
      command: { type: 'SetTool' as const, apiId, tool, fields },
      answer: { apiId, tool },
    }),
});

export const removeToolRoute = commandRoute<ProtectedApiDeps>()({
  ...commonRoute,
  method: 'post',
  path: '/v1/apis/:apiId/tools/:tool/remove',
  operation: 'removeApiTool',
  sensitive: true,
  summary: 'Remove a tool of an API',
  description: `Agents get no token for an API whose tools were all removed. ${narrowingNote}`,
  params: ToolPath,
  body: WithReason,
  answer: ToolAnswer,
  prepare: ({ params: { apiId, tool }, body: { reason }, tenantId }) =>
    right({
      stream: protectedApiStream(tenantId),
      command: { type: 'RemoveTool', apiId, tool, reason },
      answer: { apiId, tool },
    }),
});
