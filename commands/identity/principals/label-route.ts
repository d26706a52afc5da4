/** POST /v1/principals/:principalId/label: what a pipeline or an agent is called. People have names of their own. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { authenticator } from '../../../domain/identity/authenticators/decider';
import { authenticatorsStream, PrincipalLabel } from '../../../domain/identity/authenticators/events';
import { nullable, record } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { commandRoute } from '../../kernel/command-route';
import type { CommandDeps } from '../../kernel/command-spec';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { Actor } from '../../kernel/handle-request';
import { peopleProblems, principalProblems } from '../problems';
import { loadPrincipal } from './load-principal';
import { PrincipalAnswer, PrincipalPath } from './principal-routes';

interface LabelledPrincipal {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

const checkLabelled = async (deps: CommandDeps, id: LabelledPrincipal): Promise<Problem | undefined> => {
  const loaded = await loadPrincipal(deps, id);
  if (isLeft(loaded)) return problemOf(loaded.left, {});
  if (loaded.right.kind === 'none')
    return problemOf(
      { kind: 'rejection', code: 'principal-unknown', detail: 'There is no such principal.' },
      principalProblems,
    );
  return loaded.right.principalType === 'HUMAN'
    ? problem('invalid-input', 'A person has a name in place of a label.')
    : undefined;
};

const problems = { ...peopleProblems, 'principal-unknown': principalProblems['principal-unknown'] };

export const labelRoute = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/v1/principals/:principalId/label',
  operation: 'labelPrincipal',
  sensitive: false,
  summary: 'Label a pipeline or an agent',
  description:
    'Shown in place of its id. Encrypted, because it may name a person; forgetting the principal erases it. Null removes it.',
  scopes: ['principals:write'],
  params: PrincipalPath,
  body: record('NewLabel', { label: nullable(PrincipalLabel) }),
  answer: PrincipalAnswer,
  decider: authenticator,
  problems,
  prepare: async ({ params: { principalId }, body: { label }, tenantId }, deps) => {
    const refused = await checkLabelled(deps, { tenantId, principalId });
    if (refused !== undefined) return left(refused);
    const command = { type: 'LabelPrincipal', principalId, label } as const;
    return right({ stream: authenticatorsStream(tenantId, principalId), command, answer: { principalId } });
  },
});

/** Labels a principal that was just registered; the same for a retry. Returns the log position. */
export const labelRegistered = async (
  deps: CommandDeps,
  { tenantId, principalId }: LabelledPrincipal,
  { label, actor, correlationId }: { readonly label: string; readonly actor: Actor; readonly correlationId: string },
): Promise<Either<Problem, bigint>> => {
  const done = await handle(deps, authenticator, {
    stream: authenticatorsStream(tenantId, principalId),
    command: { type: 'LabelPrincipal', principalId, label },
    commandId: derivedId('label', tenantId, principalId),
    fingerprint: ['label', label],
    tenant: tenantId,
    actor,
    correlationId,
  });
  return isLeft(done) ? left(problemOf(done.left, peopleProblems)) : right(done.right.position);
};
