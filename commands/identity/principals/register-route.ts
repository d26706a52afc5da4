/** POST /v1/principals: registers a principal, with a label if the request names one. */
import { isLeft, right } from 'fp-ts/Either';
import { PrincipalLabel } from '../../../domain/identity/authenticators/events';
import { PrincipalType } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import { principalStream } from '../../../domain/identity/principal/events';
import { record } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { problem } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type JsonAnswer, route } from '../../../infra/server/http/routing/route';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { callerOf } from '../../kernel/handle-request';
import { principalProblems } from '../problems';
import { labelRegistered } from './label-route';
import { PrincipalAnswer } from './principal-routes';

const NewPrincipal = record('NewPrincipal', { principalType: PrincipalType }, { label: PrincipalLabel });

const withoutLabel = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/principals',
  operation: 'registerPrincipal',
  sensitive: true,
  summary: 'Register a principal',
  description: 'A label is for pipelines and agents; `POST /v1/people` registers a person with a name.',
  scopes: ['principals:write'],
  body: NewPrincipal,
  created: true,
  answer: PrincipalAnswer,
  decider: principal,
  problems: principalProblems,
  prepare: ({ body, tenantId, at, derivedId }) => {
    const principalId = derivedId('principal') as PrincipalId;
    return right({
      stream: principalStream(tenantId, principalId),
      command: { type: 'RegisterPrincipal', principalId, tenantId, principalType: body.principalType, at },
      answer: { principalId },
      fresh: true,
      location: `/v1/principals/${principalId}`,
    });
  },
});

/** The label is in a stream of its own: tokens are issued without the key that it needs. */
export const registerRoute = route<CommandDeps>()({
  ...withoutLabel,
  handle: async (deps, request) => {
    const { label, principalType } = request.body;
    if (label === undefined) return withoutLabel.handle(deps, request);
    if (principalType === 'HUMAN') return problem('invalid-input', 'A person has a name in place of a label.');
    const answer = (await withoutLabel.handle(deps, request)) as JsonAnswer;
    if (answer.status !== 201) return answer;
    const { tenantId } = request.identity;
    const { principalId } = answer.body as { readonly principalId: PrincipalId };
    const labelled = await labelRegistered(
      deps,
      { tenantId: tenantId as TenantId, principalId },
      { label, actor: callerOf(request.identity), correlationId: request.requestId },
    );
    if (isLeft(labelled)) return labelled.left;
    return { ...answer, headers: { ...answer.headers, ...positionHeader(labelled.right) } };
  },
});
