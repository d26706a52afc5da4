/** `/oauth/authorize` (RFC 6749 section 4.1, OpenID Connect Core section 3.1): who asks, who is asked, and what is still missing. */
import { isLeft } from 'fp-ts/Either';
import { nextStep, type Standing } from '../../../domain/identity/authorization/next-step';
import { type PageAnswer, type RouteRequest, route } from '../../../infra/http/route';
import { redirect } from '../pages/page';
import type { SessionSource } from '../sessions/browsers';
import { type CurrentSession, currentSession } from '../sessions/current';
import { contextOf } from '../token/authentication-claims';
import { type Form, oauthForm } from '../token/form';
import { type BeginDeps, type Begun, begin, type Moment } from './begin';
import { askedOf, type ConcludeDeps, conclude, isAllowed, refuseWith } from './conclude';
import { givenIn } from './parameters';
import { unavailablePage } from './proven-client';
import { sealUnderWay } from './under-way';

export type AuthorizeDeps = BeginDeps & ConcludeDeps & SessionSource;

export const pathOfResumed = (sealed: string): string => `/oauth/authorize?resume=${sealed}`;

/** Somebody who is signed in elsewhere is nobody here. */
export const sessionFor = ({ client }: Begun, session: CurrentSession | null): CurrentSession | null =>
  session?.tenantId === client.tenantId ? session : null;

const toSignIn = async (deps: AuthorizeDeps, { client, underWay }: Begun, anew: boolean): Promise<PageAnswer> => {
  const sealed = await sealUnderWay(deps.kms, underWay);
  if (isLeft(sealed)) return unavailablePage(sealed.left.problem.detail);
  const { maxAge, twoFactors, loginHint } = underWay.request;
  const asked = new URLSearchParams({ continue: pathOfResumed(sealed.right), tenant: client.tenantId });
  if (anew) asked.set('prompt', 'login');
  if (maxAge !== null) asked.set('max_age', String(maxAge));
  if (twoFactors) asked.set('acr', 'mfa');
  if (loginHint !== null) asked.set('login_hint', loginHint);
  return redirect(`/sign-in?${asked}`);
};

const toConsent = async (deps: AuthorizeDeps, { underWay }: Begun): Promise<PageAnswer> => {
  const sealed = await sealUnderWay(deps.kms, underWay);
  return isLeft(sealed) ? unavailablePage(sealed.left.problem.detail) : redirect(`/consent?request=${sealed.right}`);
};

export const signedInOf = (session: CurrentSession | null): Standing['signedIn'] =>
  session === null
    ? null
    : {
        principalId: session.principalId,
        authenticatedAt: session.authenticatedAt,
        twoFactors: contextOf(session.methods) === '2',
      };

/** Before it is known whether the person allows it. */
const missingOf = ({ underWay }: Begun, session: CurrentSession | null, { at }: Moment) =>
  nextStep(underWay.request, {
    signedIn: signedInOf(session),
    startedAt: underWay.startedAt,
    allowed: true,
    at,
  });

const withPerson = async (
  deps: AuthorizeDeps,
  [begun, session]: [Begun, CurrentSession],
  moment: Moment,
): Promise<PageAnswer> => {
  const asked = await askedOf(deps, begun, session);
  if (isLeft(asked)) return asked.left;
  const allowed = await isAllowed(deps, asked.right);
  if (isLeft(allowed)) return allowed.left;
  const { request, startedAt } = begun.underWay;
  const standing = { signedIn: signedInOf(session), startedAt, allowed: allowed.right, at: moment.at };
  const step = nextStep(request, standing);
  switch (step.kind) {
    case 'sign-in':
      return toSignIn(deps, begun, step.anew);
    case 'ask':
      return toConsent(deps, begun);
    case 'refuse':
      return refuseWith(deps, begun, [step.refusal.error, step.refusal.description]);
    case 'answer':
      return conclude(deps, asked.right, { moment, afterForm: begun.resumed });
  }
};

type AuthorizeRequest = Pick<RouteRequest<unknown, Form, Form>, 'headers' | 'requestId'>;

const authorize = async (deps: AuthorizeDeps, form: Form, request: AuthorizeRequest): Promise<PageAnswer> => {
  const moment = { at: deps.clock.now(), requestId: request.requestId };
  const begun = await begin(deps, givenIn(form), moment);
  if (isLeft(begun)) return begun.left;
  const current = await currentSession(deps, request.headers);
  if (isLeft(current)) return unavailablePage(current.left.problem.detail);
  const session = sessionFor(begun.right, current.right);
  if (session !== null) return withPerson(deps, [begun.right, session], moment);
  const step = missingOf(begun.right, null, moment);
  return step.kind === 'refuse'
    ? refuseWith(deps, begun.right, [step.refusal.error, step.refusal.description])
    : toSignIn(deps, begun.right, false);
};

const Request = oauthForm('AuthorizationRequestForm', { type: 'object' });

const common = {
  path: '/oauth/authorize',
  access: 'public',
  page: true,
  answers: { 303: { description: 'To the sign-in, or back to the application.' } },
} as const;

export const authorizeRoute = route<AuthorizeDeps>()({
  ...common,
  method: 'get',
  operation: 'authorize',
  summary: 'Ask a person for their authorization',
  query: Request,
  handle: (deps, request) => authorize(deps, request.query, request),
});

/** The same, for requests that are too long or too private for an address. */
export const authorizeByFormRoute = route<AuthorizeDeps>()({
  ...common,
  method: 'post',
  operation: 'authorizeByForm',
  summary: 'Ask a person for their authorization',
  body: Request,
  bodyType: 'form',
  handle: (deps, request) => authorize(deps, request.body, request),
});
