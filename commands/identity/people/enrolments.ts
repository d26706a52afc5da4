/** `POST /v1/principals/:principalId/enrolments`: a new link for who is a person already. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { DisplayName, Email, LoginName } from '../../../domain/identity/authenticators/events';
import { record } from '../../../domain/kernel/codec';
import { PrincipalId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/http/problem';
import { type Answer, type Identity, type RouteRequest, route } from '../../../infra/http/route';
import type { PeopleDeps } from '../sign-in/deps';
import { claimIdentifier, normalLogin } from '../sign-in/identifiers';
import { makePerson } from '../sign-in/new-person';
import { type Known, kept, loadPerson } from '../sign-in/person';
import { peopleProblems } from '../sign-in/problems';
import { describes, enrol, type Named, named } from './link';
import { overreach } from './reach';

const WithLogin = record('WithLogin', {}, { login: LoginName, displayName: DisplayName, email: Email });
const PersonPath = record('PersonPath', { principalId: PrincipalId });

interface Body {
  readonly login?: string;
  readonly displayName?: string;
  readonly email?: string;
}

type LinkRequest = RouteRequest<{ principalId: PrincipalId }, unknown, Body>;

/** A token is no way to a new sign-in of its own principal, or whoever stole it would stay. */
const refusal = async (
  deps: PeopleDeps,
  [known, identity]: readonly [Known, Identity],
): Promise<Problem | undefined> =>
  known.principalId === identity.principalId && known.person.profile !== null
    ? problem('forbidden', 'Nobody gives themselves a link: another administrator does.')
    : overreach(deps, known, identity);

/** The login of before leads to nobody any longer, and is for others to take. */
const releaseLogin = async (
  deps: PeopleDeps,
  [{ tenantId, principalId, person }, login]: readonly [Known, string],
  { commandId, acting }: Named,
): Promise<Either<Problem, unknown>> => {
  const before = kept(person.profile?.login);
  if (before === undefined || before === normalLogin(login)) return right(undefined);
  const releasing = { type: 'ReleaseIdentifier', principalId, ...acting, commandId } as const;
  return claimIdentifier(deps, { tenantId, kind: 'login', value: before }, releasing);
};

/** For who has lost every way in, and for principals that had no login so far. */
const newLink = async (deps: PeopleDeps, request: LinkRequest): Promise<Answer> => {
  const asked = named(deps, request);
  if (isLeft(asked)) return asked.left;
  const { tenantId, commandId, acting } = asked.right;
  const id = { tenantId, principalId: request.params.principalId };
  const known = await loadPerson(deps, id);
  if (isLeft(known)) return known.left;
  if (known.right.securityEpoch === null)
    return problemOf(
      { kind: 'rejection', code: 'not-a-person', detail: 'Only active people sign in.' },
      peopleProblems,
    );
  const refused = await refusal(deps, [known.right, request.identity]);
  if (refused !== undefined) return refused;
  const { login, displayName = login, email = null } = request.body;
  if (login === undefined || displayName === undefined)
    return known.right.person.profile === null
      ? problem('invalid-input', 'The person has no login yet: name one.')
      : enrol(deps, id, asked.right);
  const made = await makePerson(deps, { ...id, login, displayName, email }, [commandId, acting, []]);
  if (isLeft(made)) return made.left;
  const released = await releaseLogin(deps, [known.right, login], asked.right);
  return isLeft(released) ? released.left : enrol(deps, id, asked.right);
};

export const enrolPersonRoute = route<PeopleDeps>()({
  ...describes,
  method: 'post',
  path: '/v1/principals/:principalId/enrolments',
  operation: 'enrolPerson',
  danger: true,
  summary: 'Give a person a new link to set up how they sign in',
  description: 'The one before is void.',
  params: PersonPath,
  body: WithLogin,
  handle: newLink,
});
