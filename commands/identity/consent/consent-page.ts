/** /consent: shows what an application requests and records the decision. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { nextPrompt } from '../../../domain/identity/authorization/interaction-policy';
import { type Application, describeClient } from '../../../domain/identity/client/state';
import { type PageAnswer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { recordMetadataClient } from '../clients/metadata-clients';
import {
  type AuthorizeDeps,
  resumePath,
  sessionFor,
  signedInPerson,
} from '../oauth/authorization/authorization-endpoint';
import {
  type AuthorizationContext,
  completeAuthorization,
  errorResponseFor,
  loadAuthorizationContext,
} from '../oauth/authorization/complete-authorization';
import { type RequestTime, resumeInteraction } from '../oauth/authorization/resolve-request';
import { unavailablePage } from '../oauth/authorization/verified-client';
import { checkCsrf, csrfField, type Fields, LooseFields } from '../pages/form';
import { type Html, html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { loadPerson, unlessForgotten } from '../people/load-person';
import { type ApiNames, loadApiNames } from '../protected-apis/api-names';
import { currentSession } from '../sessions/current-session';
import {
  changedMeanwhile,
  changeNotice,
  clientFingerprint,
  destinationName,
  loadVoidConsent,
  type VoidConsent,
} from './changed-client';
import { grantConsent } from './consent-records';

interface PendingConsent {
  readonly authorization: AuthorizationContext;
  readonly moment: RequestTime;
  /** What the person allowed before the client changed. */
  readonly former: VoidConsent | undefined;
  readonly login: string;
  readonly apiNames: ApiNames;
}

/** Left also without a session: redirects to the authorization endpoint, which requires sign-in. */
const loadPendingConsent = async (
  deps: AuthorizeDeps,
  sealed: string,
  { headers, requestId }: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'requestId'>,
): Promise<Either<PageAnswer, PendingConsent>> => {
  const at = deps.clock.now();
  const resolved = await resumeInteraction(deps, sealed, at);
  if (isLeft(resolved)) return resolved;
  const current = await currentSession(deps, headers);
  if (isLeft(current)) return left(unavailablePage(current.left.problem.detail));
  const session = sessionFor(resolved.right, current.right);
  const { request, startedAt } = resolved.right.underWay;
  const standing = { signedIn: signedInPerson(session), startedAt, allowed: false, at };
  if (session === null || nextPrompt(request, standing).kind !== 'ask') return left(redirect(resumePath(sealed)));
  const authorization = await loadAuthorizationContext(deps, resolved.right, { session, moment: { at, requestId } });
  if (isLeft(authorization)) return authorization;
  const former = await loadVoidConsent(deps, session, resolved.right.client);
  if (isLeft(former)) return left(unavailablePage(former.left.detail));
  const person = await loadPerson(deps, session);
  if (isLeft(person)) return left(unavailablePage(person.left.problem.detail));
  const apiNames = await loadApiNames(deps, session.tenantId);
  if (isLeft(apiNames)) return left(unavailablePage(apiNames.left.detail));
  const login = unlessForgotten(person.right.person.profile?.login) ?? session.principalId;
  return right({
    authorization: authorization.right,
    moment: { at, requestId },
    former: former.right,
    login,
    apiNames: apiNames.right,
  });
};

/** Its name is what it calls itself; who answers for it is the host of its document. */
const hostNotice = ({ registeredItself }: Application): Html | undefined => {
  const url = registeredItself?.metadataUrl ?? null;
  if (url === null) return undefined;
  return html`<p>It is not registered here. It describes itself at <bdi><strong>${new URL(url).host}</strong></bdi>: allow it only if you trust that site.</p>`;
};

/** Signs in another person, who then answers. */
const otherAccountPath = (tenantId: string, sealed: string): string =>
  `/sign-in?${new URLSearchParams({ continue: resumePath(sealed), tenant: tenantId, prompt: 'select_account' })}`;

const consentPage = (
  { authorization, former, login, apiNames }: PendingConsent,
  sealed: string,
  isStale = false,
): PageAnswer => {
  const { begun: resolved, session, scopes } = authorization;
  const { application } = resolved.client;
  const { redirectUri, audience } = resolved.underWay.request;
  return page({
    title: `Allow ${application.name}?`,
    body: html`
${isStale && changedMeanwhile}
${changeNotice(former, application)}
<p>Signed in as <strong>${login}</strong>. <a href="${otherAccountPath(session.tenantId, sealed)}">Use another account</a></p>
<p><bdi><strong>${application.name}</strong></bdi> asks for your permission to:</p>
${hostNotice(application)}
<section aria-label="What it may do"><ul>${scopes.map((scope) => html`<li>${apiNames.scope(scope)}</li>`)}</ul></section>
<section aria-label="Your answer">
<p>It may do this at <strong>${audience.map(apiNames.audience).join(', ')}</strong>. Your answer goes to <strong>${destinationName(redirectUri)}</strong>.</p>
<form class="form" method="post" action="/consent">
${csrfField(session)}
<input type="hidden" name="request" value="${sealed}">
<input type="hidden" name="shown" value="${clientFingerprint(application)}">
<p class="row">
<button class="button primary" name="decision" value="allow">Allow</button>
<button class="button" name="decision" value="deny">Deny</button>
</p>
</form>
<p>You can withdraw this under <a href="/account/applications">applications</a> at any time.</p>
</section>`,
  });
};

const showConsent = async (
  deps: AuthorizeDeps,
  request: RouteRequest<unknown, Fields, unknown>,
): Promise<PageAnswer> => {
  const { request: sealed = '' } = request.query;
  const opened = await loadPendingConsent(deps, sealed, request);
  return isLeft(opened) ? opened.left : consentPage(opened.right, sealed);
};

const recordApproval = async (deps: AuthorizeDeps, { authorization, moment }: PendingConsent): Promise<PageAnswer> => {
  const { begun: resolved, session, scopes } = authorization;
  const { tenantId, principalId } = session;
  const between = { tenantId, principalId, clientId: resolved.client.clientId };
  const at = { ...moment, commandId: deps.random.uuid(), actor: principalId };
  const current = await recordMetadataClient(deps, { document: undefined, ...resolved.client }, at);
  if (isLeft(current)) return unavailablePage(current.left.detail);
  const application = current.right;
  const displayedClient = { clientEpoch: application.consentEpoch, client: describeClient(application) };
  const approved = { scopes, audience: resolved.underWay.request.audience, ...displayedClient };
  const context = { ...moment, commandId: deps.random.uuid() };
  const recorded = await grantConsent(deps, between, { approved, context });
  if (isLeft(recorded)) return unavailablePage(recorded.left.detail);
  const begun = { ...resolved, client: { ...resolved.client, application } };
  return completeAuthorization(deps, { ...authorization, begun }, { moment, afterForm: true });
};

const handleConsent = async (
  deps: AuthorizeDeps,
  request: RouteRequest<unknown, unknown, Fields>,
): Promise<PageAnswer> => {
  const { body: fields, headers } = request;
  const opened = await loadPendingConsent(deps, fields.request ?? '', request);
  if (isLeft(opened)) return opened.left;
  const { authorization } = opened.right;
  const meant = checkCsrf(fields, { token: authorization.session, headers, browsers: deps.browsers });
  if (isLeft(meant)) return meant.left;
  if (fields.decision === 'allow') {
    // A person agrees only to what was on the page.
    const isStale = fields.shown !== clientFingerprint(authorization.begun.client.application);
    return isStale ? consentPage(opened.right, fields.request ?? '', isStale) : recordApproval(deps, opened.right);
  }
  return errorResponseFor(deps, authorization.begun, {
    error: 'access_denied',
    description: 'The person did not allow it.',
    moment: opened.right.moment,
  });
};

const commonRoute = {
  path: '/consent',
  access: 'public',
  page: true,
  answers: { 200: { description: 'A page.' } },
} as const;

export const consentPageRoute = route<AuthorizeDeps>()({
  ...commonRoute,
  method: 'get',
  operation: 'showConsent',
  summary: 'The consent that an application requests',
  query: LooseFields,
  handle: showConsent,
});

export const consentRoute = route<AuthorizeDeps>()({
  ...commonRoute,
  method: 'post',
  operation: 'answerConsent',
  summary: 'Answer a consent request',
  body: LooseFields,
  bodyType: 'form',
  handle: handleConsent,
});
