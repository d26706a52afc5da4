/** `/consent`: what an application asks for, in words, and the person's answer. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { nextStep } from '../../../domain/identity/authorization/next-step';
import { type PageAnswer, type RouteRequest, route } from '../../../infra/http/route';
import { checkCsrf, csrfField, type Fields, LooseFields } from '../pages/form';
import { html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { currentSession } from '../sessions/current';
import { type AuthorizeDeps, pathOfResumed, sessionFor, signedInOf } from './authorize';
import { type Moment, resume } from './begin';
import { type Asked, askedOf, conclude, refuseWith } from './conclude';
import { giveConsent } from './consent-given';
import { unavailablePage } from './proven-client';
import { scopeInWords } from './scope-words';

interface Opened {
  readonly asked: Asked;
  readonly moment: Moment;
}

/** Left also where a sign-in is missing: the authorization endpoint knows what to do about it. */
const open = async (
  deps: AuthorizeDeps,
  sealed: string,
  { headers, requestId }: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'requestId'>,
): Promise<Either<PageAnswer, Opened>> => {
  const at = deps.clock.now();
  const begun = await resume(deps, sealed, at);
  if (isLeft(begun)) return begun;
  const current = await currentSession(deps, headers);
  if (isLeft(current)) return left(unavailablePage(current.left.problem.detail));
  const session = sessionFor(begun.right, current.right);
  const { request, startedAt } = begun.right.underWay;
  const standing = { signedIn: signedInOf(session), startedAt, allowed: false, at };
  if (session === null || nextStep(request, standing).kind !== 'ask') return left(redirect(pathOfResumed(sealed)));
  const asked = await askedOf(deps, begun.right, session);
  return isLeft(asked) ? asked : right({ asked: asked.right, moment: { at, requestId } });
};

/** Where the answer goes, as far as a person can tell it. */
const placeOf = (redirectUri: string): string => {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' ? host : `an application on this device (${host === '' ? protocol : host})`;
};

const consentPage = ({ begun, session, scopes }: Asked, sealed: string): PageAnswer => {
  const { application } = begun.client;
  const { redirectUri, audience } = begun.underWay.request;
  return page({
    title: `Allow ${application.name}?`,
    body: html`
<p><strong>${application.name}</strong> asks to do this for you:</p>
<section aria-label="What it may do"><ul>${scopes.map((scope) => html`<li>${scopeInWords(scope)}</li>`)}</ul></section>
<section aria-label="Your answer">
<p>At: ${audience.join(', ')}. Your answer goes to <strong>${placeOf(redirectUri)}</strong>.</p>
<form class="form" method="post" action="/consent">
${csrfField(session)}
<input type="hidden" name="request" value="${sealed}">
<p class="row">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Deny</button>
</p>
</form>
<p>You can take this back under <a href="/account/applications">applications</a> at any time.</p>
</section>`,
  });
};

const show = async (deps: AuthorizeDeps, request: RouteRequest<unknown, Fields, unknown>): Promise<PageAnswer> => {
  const { request: sealed = '' } = request.query;
  const opened = await open(deps, sealed, request);
  return isLeft(opened) ? opened.left : consentPage(opened.right.asked, sealed);
};

const allow = async (deps: AuthorizeDeps, { asked, moment }: Opened): Promise<PageAnswer> => {
  const { begun, session, scopes } = asked;
  const { tenantId, principalId } = session;
  const between = { tenantId, principalId, clientId: begun.client.clientId };
  const given = { scopes, audience: begun.underWay.request.audience };
  const word = { ...moment, commandId: deps.random.uuid() };
  const recorded = await giveConsent(deps, between, { given, word });
  if (isLeft(recorded)) return unavailablePage(recorded.left.detail);
  return conclude(deps, asked, { moment, afterForm: true });
};

const answer = async (deps: AuthorizeDeps, request: RouteRequest<unknown, unknown, Fields>): Promise<PageAnswer> => {
  const { body: fields, headers } = request;
  const opened = await open(deps, fields.request ?? '', request);
  if (isLeft(opened)) return opened.left;
  const { asked } = opened.right;
  const meant = checkCsrf(fields, { token: asked.session, headers, origins: deps.browsers.origins });
  if (isLeft(meant)) return meant.left;
  if (fields.decision === 'allow') return allow(deps, opened.right);
  return refuseWith(deps, asked.begun, ['access_denied', 'The person did not allow it.']);
};

const common = {
  path: '/consent',
  access: 'public',
  page: true,
  answers: { 200: { description: 'A page.' } },
} as const;

export const consentPageRoute = route<AuthorizeDeps>()({
  ...common,
  method: 'get',
  operation: 'showConsent',
  summary: 'What an application asks for',
  query: LooseFields,
  handle: show,
});

export const consentRoute = route<AuthorizeDeps>()({
  ...common,
  method: 'post',
  operation: 'answerConsent',
  summary: 'Allow it, or do not',
  body: LooseFields,
  bodyType: 'form',
  handle: answer,
});
