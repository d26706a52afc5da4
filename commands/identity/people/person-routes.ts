/** POST /v1/people and POST /v1/principals/:principalId/enrolments: register a person, issue enrolment links. The response shows the link once. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DisplayName, Email, LoginName } from '../../../domain/identity/authenticators/events';
import type { PrincipalCommand } from '../../../domain/identity/principal/decider';
import { grantedScopes, missingScopes, type Role, Roles } from '../../../domain/identity/scopes';
import { Instant, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { commonProblems, type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type Identity, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { commandHeaderDocs, commandHeaders } from '../../kernel/command-headers';
import { derivedId } from '../../kernel/deterministic-ids';
import { callerOf } from '../../kernel/handle-request';
import { noStoreHeaders } from '../oauth/token/oauth-error';
import { peopleProblems, principalProblems } from '../problems';
import type { SignInDeps } from '../sign-in/dependencies';
import { type Enrolment, enrolmentPath, issueEnrolment } from '../sign-in/enrolment/enrolment-link';
import { checkAuthority } from './access-level';
import { createPerson } from './create-person';
import { claimIdentifier, normalizeLogin } from './identifier-claims';
import { type CommandContext, type LoadedPerson, loadPerson, type PersonId, unlessForgotten } from './load-person';

const Enrolled = record('EnrolledPerson', {
  principalId: PrincipalId,
  enrolmentUrl: text('EnrolmentUrl', {
    examples: ['https://septet.example.org/enrol#q3sVw8h0N1yZ5tXc7bLk2mRf9dGj4pAe6uQo0iWvT1s'],
    maxLength: 2_048,
  }),
  expiresAt: Instant,
});

export interface EnrolmentCommand {
  readonly tenantId: TenantId;
  readonly commandId: string;
  readonly acting: CommandContext;
  readonly key: string;
}

const readEnrolmentCommand = (
  deps: SignInDeps,
  request: RouteRequest<unknown, unknown, unknown>,
): Either<Problem, EnrolmentCommand> => {
  const { identity, headers, requestId } = request;
  const { tenantId, principalId } = identity;
  const read = commandHeaders(headers);
  if (isLeft(read)) return read;
  if (!TenantId.is(tenantId)) return left(problem('forbidden', 'The tenant of the token is unknown.'));
  const { key = deps.random.uuid() } = read.right;
  const commandId = derivedId('command', tenantId, principalId, key);
  return right({ tenantId, commandId, acting: { requestId, actor: callerOf(identity) }, key });
};

const enrolmentAnswer = (
  deps: SignInDeps,
  principalId: PrincipalId,
  { enrolment, key }: { readonly enrolment: Enrolment; readonly key: string },
): Answer => ({
  status: 201,
  body: {
    principalId,
    enrolmentUrl: `${deps.browsers.origins[0]}${enrolmentPath(enrolment)}`,
    expiresAt: enrolment.expiresAt,
  },
  headers: {
    ...noStoreHeaders,
    'Idempotency-Key': key,
    Location: `/v1/principals/${principalId}`,
    ...positionHeader(enrolment.position),
  },
});

const issueLink = async (
  deps: SignInDeps,
  id: PersonId,
  { commandId, acting: context, key }: EnrolmentCommand,
): Promise<Answer> => {
  const enrolment = await issueEnrolment(deps, id, { commandId, context });
  return isLeft(enrolment)
    ? enrolment.left
    : enrolmentAnswer(deps, id.principalId, { enrolment: enrolment.right, key });
};

const problems = {
  ...peopleProblems,
  ...principalProblems,
  'vault-unavailable': commonProblems['vault-unavailable'],
  'event-store-unavailable': commonProblems['event-store-unavailable'],
};
const enrolmentAnswers = {
  201: {
    description: 'The person, and a link that works once, for 24 hours.',
    body: Enrolled,
    headers: ['Idempotency-Key', 'Location', 'Position'],
  },
};
const enrolmentRoute = {
  access: { scopes: ['principals:write'] },
  headers: commandHeaderDocs.filter(({ name }) => name === 'Idempotency-Key'),
  answers: enrolmentAnswers,
  problems,
} as const;

const NewPerson = record('NewPerson', { login: LoginName, displayName: DisplayName }, { email: Email, roles: Roles });

/** The principal's decider checks that the caller has the roles' scopes. */
const roleCommands = (
  principalId: PrincipalId,
  roles: readonly Role[] | undefined,
  { principalId: by, scopes: callerScopes }: Identity,
): readonly PrincipalCommand[] =>
  roles === undefined || roles.length === 0
    ? []
    : [{ type: 'GrantAuthority', principalId, roles, scopes: [], by: by as PrincipalId, held: callerScopes }];

const roleNotHeld = () =>
  problemOf(
    { kind: 'rejection', code: 'scope-not-held', detail: 'Only authority of the caller can be granted.' },
    principalProblems,
  );

interface NewPersonBody {
  readonly login: string;
  readonly displayName: string;
  readonly email?: string;
  readonly roles?: readonly Role[];
}

const registerPerson = async (
  deps: SignInDeps,
  request: RouteRequest<unknown, unknown, NewPersonBody>,
): Promise<Answer> => {
  const enrolment = readEnrolmentCommand(deps, request);
  if (isLeft(enrolment)) return enrolment.left;
  const { tenantId, commandId, acting: context } = enrolment.right;
  const principalId = derivedId('person', commandId) as PrincipalId;
  const { login, displayName, email = null, roles } = request.body;
  // Checked first, so that a refused request claims no login.
  if (missingScopes(grantedScopes(roles ?? [], []), request.identity.scopes).length > 0) return roleNotHeld();
  const more = roleCommands(principalId, roles, request.identity);
  const person = { tenantId, principalId, login, displayName, email };
  const made = await createPerson(deps, person, { commandId, context, more });
  return isLeft(made) ? made.left : issueLink(deps, { tenantId, principalId }, enrolment.right);
};

export const registerPersonRoute = route<SignInDeps>()({
  ...enrolmentRoute,
  method: 'post',
  path: '/v1/people',
  operation: 'registerPerson',
  danger: true,
  summary: 'Register a person who will sign in',
  description:
    'Only this response has the link; send it to the person. A retry under the same Idempotency-Key returns the same one.',
  body: NewPerson,
  handle: registerPerson,
});

const WithLogin = record('WithLogin', {}, { login: LoginName, displayName: DisplayName, email: Email });
const PersonPath = record('PersonPath', { principalId: PrincipalId });

interface LinkBody {
  readonly login?: string;
  readonly displayName?: string;
  readonly email?: string;
}

type LinkRequest = RouteRequest<{ principalId: PrincipalId }, unknown, LinkBody>;

/** Not for the caller's own principal: a stolen token could otherwise add an authenticator. */
const checkLink = async (
  deps: SignInDeps,
  { loaded, identity }: { readonly loaded: LoadedPerson; readonly identity: Identity },
): Promise<Problem | undefined> =>
  loaded.principalId === identity.principalId && loaded.person.profile !== null
    ? problem('forbidden', 'Another administrator must issue your link.')
    : checkAuthority(deps, loaded, identity);

/** Releases the former login for others. */
const releaseFormerLogin = async (
  deps: SignInDeps,
  { loaded: { tenantId, principalId, person }, login }: { readonly loaded: LoadedPerson; readonly login: string },
  { commandId, acting: context }: EnrolmentCommand,
): Promise<Either<Problem, unknown>> => {
  const before = unlessForgotten(person.profile?.login);
  if (before === undefined || before === normalizeLogin(login)) return right(undefined);
  const releasing = { type: 'ReleaseIdentifier', principalId, ...context, commandId } as const;
  return claimIdentifier(deps, { tenantId, kind: 'login', value: before }, releasing);
};

/** For people who lost all authenticators, and for principals without a login. */
const issueNewLink = async (deps: SignInDeps, request: LinkRequest): Promise<Answer> => {
  const enrolment = readEnrolmentCommand(deps, request);
  if (isLeft(enrolment)) return enrolment.left;
  const { tenantId, commandId, acting: context } = enrolment.right;
  const id = { tenantId, principalId: request.params.principalId };
  const loaded = await loadPerson(deps, id);
  if (isLeft(loaded)) return loaded.left;
  if (loaded.right.securityEpoch === null)
    return problemOf(
      { kind: 'rejection', code: 'not-a-person', detail: 'Only active people sign in.' },
      peopleProblems,
    );
  const refused = await checkLink(deps, { loaded: loaded.right, identity: request.identity });
  if (refused !== undefined) return refused;
  const { login, displayName = login, email = null } = request.body;
  if (login === undefined || displayName === undefined)
    return loaded.right.person.profile === null
      ? problem('invalid-input', 'The person has no login yet: name one.')
      : issueLink(deps, id, enrolment.right);
  const made = await createPerson(deps, { ...id, login, displayName, email }, { commandId, context, more: [] });
  if (isLeft(made)) return made.left;
  const released = await releaseFormerLogin(deps, { loaded: loaded.right, login }, enrolment.right);
  return isLeft(released) ? released.left : issueLink(deps, id, enrolment.right);
};

export const enrolPersonRoute = route<SignInDeps>()({
  ...enrolmentRoute,
  method: 'post',
  path: '/v1/principals/:principalId/enrolments',
  operation: 'enrolPerson',
  danger: true,
  summary: 'Send a person through enrolment again: a new link',
  description: 'The earlier link becomes invalid.',
  params: PersonPath,
  body: WithLogin,
  handle: issueNewLink,
});
