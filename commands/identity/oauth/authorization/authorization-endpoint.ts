/** /oauth/authorize (RFC 6749 section 4.1, OpenID Connect Core section 3.1): resolves the request and returns the next prompt or the response. */
import { isLeft } from 'fp-ts/Either';
import { type InteractionState, nextPrompt } from '../../../../domain/identity/authorization/interaction-policy';
import { type PageAnswer, type RouteRequest, route } from '../../../../infra/server/http/routing/route';
import { redirect } from '../../pages/page';
import type { SessionSource } from '../../sessions/current-session';
import { type CurrentSession, currentSession } from '../../sessions/current-session';
import { type Form, oauthForm } from '../token/oauth-form';
import { authenticationContextOf } from '../token/token-claims';
import {
  type CompleteDeps,
  completeAuthorization,
  errorResponseFor,
  hasConsent,
  loadAuthorizationContext,
} from './complete-authorization';
import { sealInteraction } from './interaction';
import { readParameters } from './parse-request';
import { type RequestTime, type ResolveDeps, type ResolvedRequest, resolveRequest } from './resolve-request';
import { unavailablePage } from './verified-client';

export type AuthorizeDeps = ResolveDeps & CompleteDeps & SessionSource;

export const resumePath = (sealed: string): string => `/oauth/authorize?resume=${sealed}`;

/** A session of another tenant does not count. */
export const sessionFor = ({ client }: ResolvedRequest, session: CurrentSession | null): CurrentSession | null =>
  session?.tenantId === client.tenantId ? session : null;

const redirectToLogin = async (
  deps: AuthorizeDeps,
  { client, underWay: interaction }: ResolvedRequest,
  reauthenticate: boolean,
): Promise<PageAnswer> => {
  const sealed = await sealInteraction(deps.kms, interaction);
  if (isLeft(sealed)) return unavailablePage(sealed.left.problem.detail);
  const { maxAge, twoFactors, loginHint } = interaction.request;
  const query = new URLSearchParams({ continue: resumePath(sealed.right), tenant: client.tenantId });
  if (reauthenticate) query.set('prompt', 'login');
  if (maxAge !== null) query.set('max_age', String(maxAge));
  if (twoFactors) query.set('acr', 'mfa');
  if (loginHint !== null) query.set('login_hint', loginHint);
  return redirect(`/sign-in?${query}`);
};

const redirectToConsent = async (
  deps: AuthorizeDeps,
  { underWay: interaction }: ResolvedRequest,
): Promise<PageAnswer> => {
  const sealed = await sealInteraction(deps.kms, interaction);
  return isLeft(sealed) ? unavailablePage(sealed.left.problem.detail) : redirect(`/consent?request=${sealed.right}`);
};

export const signedInPerson = (session: CurrentSession | null): InteractionState['signedIn'] =>
  session === null
    ? null
    : {
        principalId: session.principalId,
        authenticatedAt: session.authenticatedAt,
        twoFactors: authenticationContextOf(session.methods) === '2',
      };

/** The next prompt, before consent is checked. */
const nextPromptOf = (
  { underWay: interaction }: ResolvedRequest,
  session: CurrentSession | null,
  { at }: RequestTime,
) =>
  nextPrompt(interaction.request, {
    signedIn: signedInPerson(session),
    startedAt: interaction.startedAt,
    allowed: true,
    at,
  });

const continueWithPerson = async (
  deps: AuthorizeDeps,
  { resolved, session }: { readonly resolved: ResolvedRequest; readonly session: CurrentSession },
  moment: RequestTime,
): Promise<PageAnswer> => {
  const authorization = await loadAuthorizationContext(deps, resolved, { session, moment });
  if (isLeft(authorization)) return authorization.left;
  const hasApproval = await hasConsent(deps, authorization.right);
  if (isLeft(hasApproval)) return hasApproval.left;
  const { request, startedAt } = resolved.underWay;
  const standing = { signedIn: signedInPerson(session), startedAt, allowed: hasApproval.right, at: moment.at };
  const step = nextPrompt(request, standing);
  switch (step.kind) {
    case 'sign-in':
      return redirectToLogin(deps, resolved, step.reauthenticate);
    case 'ask':
      return redirectToConsent(deps, resolved);
    case 'refuse':
      return errorResponseFor(deps, resolved, { ...step.refusal, moment });
    case 'answer':
      return completeAuthorization(deps, authorization.right, { moment, afterForm: resolved.resumed });
  }
};

type AuthorizeRequest = Pick<RouteRequest<unknown, Form, Form>, 'headers' | 'requestId'>;

const handleAuthorization = async (deps: AuthorizeDeps, form: Form, request: AuthorizeRequest): Promise<PageAnswer> => {
  const moment = { at: deps.clock.now(), requestId: request.requestId };
  const resolved = await resolveRequest(deps, readParameters(form), moment);
  if (isLeft(resolved)) return resolved.left;
  const current = await currentSession(deps, request.headers);
  if (isLeft(current)) return unavailablePage(current.left.problem.detail);
  const session = sessionFor(resolved.right, current.right);
  if (session !== null) return continueWithPerson(deps, { resolved: resolved.right, session }, moment);
  const step = nextPromptOf(resolved.right, null, moment);
  return step.kind === 'refuse'
    ? errorResponseFor(deps, resolved.right, { ...step.refusal, moment })
    : redirectToLogin(deps, resolved.right, false);
};

const AuthorizationForm = oauthForm('AuthorizationRequestForm', { type: 'object' });

const commonRoute = {
  path: '/oauth/authorize',
  access: 'public',
  page: true,
  answers: { 303: { description: 'To the sign-in, or back to the application.' } },
} as const;

export const authorizeRoute = route<AuthorizeDeps>()({
  ...commonRoute,
  method: 'get',
  operation: 'authorize',
  summary: 'Ask a person for their authorization',
  query: AuthorizationForm,
  handle: (deps, request) => handleAuthorization(deps, request.query, request),
});

/** The same by POST, for long or confidential requests. */
export const authorizeByFormRoute = route<AuthorizeDeps>()({
  ...commonRoute,
  method: 'post',
  operation: 'authorizeByForm',
  summary: 'Ask a person for their authorization',
  body: AuthorizationForm,
  bodyType: 'form',
  handle: (deps, request) => handleAuthorization(deps, request.body, request),
});
