/** `POST /v1/people`: a principal, a login, and a link by which the person sets up how they sign in. */
import { isLeft } from 'fp-ts/Either';
import { DisplayName, Email, LoginName } from '../../../domain/identity/authenticators/events';
import type { PrincipalCommand } from '../../../domain/identity/principal/decider';
import { authorityOf, type Role, Roles } from '../../../domain/identity/roles';
import { missing } from '../../../domain/identity/scopes';
import { record } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { problemOf } from '../../../infra/http/problem';
import { type Answer, type Identity, type RouteRequest, route } from '../../../infra/http/route';
import { derivedId } from '../../kernel/derive';
import { principalProblems } from '../principals/problems';
import type { PeopleDeps } from '../sign-in/deps';
import { makePerson } from '../sign-in/new-person';
import { describes, enrol, named } from './link';

const NewPerson = record('NewPerson', { login: LoginName, displayName: DisplayName }, { email: Email, roles: Roles });

/** Nobody hands out a role with more in it than they hold: the principal's own rules say so. */
const granting = (
  principalId: PrincipalId,
  roles: readonly Role[] | undefined,
  { principalId: by, scopes: held }: Identity,
): readonly PrincipalCommand[] =>
  roles === undefined || roles.length === 0
    ? []
    : [{ type: 'GrantAuthority', principalId, roles, scopes: [], by: by as PrincipalId, held }];

const tooMuch = () =>
  problemOf(
    { kind: 'rejection', code: 'scope-not-held', detail: 'Only what the caller may do can be given.' },
    principalProblems,
  );

interface Body {
  readonly login: string;
  readonly displayName: string;
  readonly email?: string;
  readonly roles?: readonly Role[];
}

const register = async (deps: PeopleDeps, request: RouteRequest<unknown, unknown, Body>): Promise<Answer> => {
  const asked = named(deps, request);
  if (isLeft(asked)) return asked.left;
  const { tenantId, commandId, acting } = asked.right;
  const principalId = derivedId('person', commandId) as PrincipalId;
  const { login, displayName, email = null, roles } = request.body;
  // Before anything is made: whoever is refused has taken no login.
  if (missing(authorityOf(roles ?? [], []), request.identity.scopes).length > 0) return tooMuch();
  const more = granting(principalId, roles, request.identity);
  const person = { tenantId, principalId, login, displayName, email };
  const made = await makePerson(deps, person, [commandId, acting, more]);
  return isLeft(made) ? made.left : enrol(deps, { tenantId, principalId }, asked.right);
};

export const registerPersonRoute = route<PeopleDeps>()({
  ...describes,
  method: 'post',
  path: '/v1/people',
  operation: 'registerPerson',
  danger: true,
  summary: 'Register a person who will sign in',
  description:
    'The link is shown here only; send it to the person. A retry under the same Idempotency-Key shows the same one.',
  body: NewPerson,
  handle: register,
});
