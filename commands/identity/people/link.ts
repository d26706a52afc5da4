/** What the routes that give people a link have in common: a command with a name, and the link as it is answered, this once. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { Instant, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { positionHeader } from '../../../infra/http/position';
import { commonProblems, type Problem, problem } from '../../../infra/http/problem';
import type { Answer, RouteRequest } from '../../../infra/http/route';
import { commandHeaderDocs, commandHeaders } from '../../kernel/command-headers';
import { derivedId } from '../../kernel/derive';
import { principalProblems } from '../principals/problems';
import type { PeopleDeps } from '../sign-in/deps';
import { type Enrolment, enrolmentPath, issueEnrolment } from '../sign-in/enrolment';
import type { Acting, PersonId } from '../sign-in/person';
import { peopleProblems } from '../sign-in/problems';
import { uncached } from '../token/oauth-error';

const Enrolled = record('EnrolledPerson', {
  principalId: PrincipalId,
  enrolmentUrl: text('EnrolmentUrl', { maxLength: 2_048 }),
  expiresAt: Instant,
});

export interface Named {
  readonly tenantId: TenantId;
  readonly commandId: string;
  readonly acting: Acting;
  readonly key: string;
}

export const named = (deps: PeopleDeps, request: RouteRequest<unknown, unknown, unknown>): Either<Problem, Named> => {
  const { identity, headers, requestId } = request;
  const { tenantId, principalId } = identity;
  const read = commandHeaders(headers);
  if (isLeft(read)) return read;
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The token is of no known tenant.'));
  const { key = deps.random.uuid() } = read.right;
  const commandId = derivedId('command', tenantId, principalId, key);
  return right({ tenantId, commandId, acting: { requestId, actor: principalId }, key });
};

const answer = (
  deps: PeopleDeps,
  principalId: PrincipalId,
  [enrolment, key]: readonly [Enrolment, string],
): Answer => ({
  status: 201,
  body: {
    principalId,
    enrolmentUrl: `${deps.browsers.origins[0]}${enrolmentPath(enrolment)}`,
    expiresAt: enrolment.expiresAt,
  },
  headers: {
    ...uncached,
    'Idempotency-Key': key,
    Location: `/v1/principals/${principalId}`,
    ...positionHeader(enrolment.position),
  },
});

export const enrol = async (deps: PeopleDeps, id: PersonId, { commandId, acting, key }: Named): Promise<Answer> => {
  const enrolment = await issueEnrolment(deps, id, [commandId, acting]);
  return isLeft(enrolment) ? enrolment.left : answer(deps, id.principalId, [enrolment.right, key]);
};

const problems = {
  ...peopleProblems,
  ...principalProblems,
  'vault-unavailable': commonProblems['vault-unavailable'],
  'event-store-unavailable': commonProblems['event-store-unavailable'],
};
const enrolled = {
  201: {
    description: 'The person, and a link that works once, for 24 hours.',
    body: Enrolled,
    headers: ['Idempotency-Key', 'Location', 'Position'],
  },
};
export const describes = {
  access: { scopes: ['principals:write'] },
  headers: commandHeaderDocs.filter(({ name }) => name === 'Idempotency-Key'),
  answers: enrolled,
  problems,
} as const;
