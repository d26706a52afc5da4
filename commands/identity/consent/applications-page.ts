/** /account/applications: lists a person's consents and revokes them. */
import { isLeft } from 'fp-ts/Either';
import type { Consent } from '../../../domain/identity/consent/decider';
import { ClientId } from '../../../domain/identity/ids';
import { distinctScopes, type Scope } from '../../../domain/identity/scopes';
import type { Random } from '../../../infra/ports/runtime/random';
import { type PageAnswer, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import type { HandleDeps } from '../../kernel/handle-request';
import { parseApplicationClientId } from '../clients/client-id';
import { type ClientSource, loadClient } from '../clients/load-client';
import { unavailablePage } from '../oauth/authorization/verified-client';
import { checkCsrf, csrfField, type Fields, LooseFields } from '../pages/form';
import { type Html, html } from '../pages/html';
import { page, redirect } from '../pages/page';
import { type ApiNames, loadApiNames } from '../protected-apis/api-names';
import type { SessionSource } from '../sessions/current-session';
import { type CurrentSession, currentSession } from '../sessions/current-session';
import { loadConsents, revokeConsent } from './consent-records';

export interface ApplicationsDeps extends HandleDeps, SessionSource, ClientSource {
  readonly random: Random;
}

interface ConsentView {
  readonly clientId: ClientId;
  readonly name: string;
  readonly consent: Consent;
  /** What the consent allows, or allowed. */
  readonly scopes: readonly Scope[];
  /** The client changed since, so the consent counts no more. */
  readonly isVoid: boolean;
}

/** A client that cannot be loaded is still listed, so that its consent can be revoked. */
const consentViewOf = async (deps: ApplicationsDeps, clientId: ClientId, consent: Consent): Promise<ConsentView> => {
  const name = parseApplicationClientId(clientId);
  const found = name === undefined ? undefined : await loadClient(deps, name);
  if (found === undefined || isLeft(found) || found.right === undefined)
    return { clientId, name: clientId, consent, scopes: consent.scopes, isVoid: false };
  const application = found.right;
  const counting = consent.words.filter(({ clientEpoch }) => clientEpoch >= application.consentEpoch);
  const isVoid = counting.length === 0;
  const scopes = isVoid ? consent.scopes : distinctScopes(counting.flatMap((approval) => approval.scopes));
  return { clientId, name: application.name, consent, scopes, isVoid };
};

interface Listing {
  readonly session: CurrentSession;
  readonly apiNames: ApiNames;
}

const applicationSection = (
  { session, apiNames }: Listing,
  { clientId, name, consent, scopes, isVoid }: ConsentView,
): Html => html`<li class="row">
<span><strong>${name}</strong> may: ${scopes.map(apiNames.scope).join('; ')}.<br>
<span class="hint">at ${consent.audience.map(apiNames.audience).join(', ')}, since ${consent.givenAt?.slice(0, 10)}${isVoid && '. The application was changed since: it asks you again before it can do anything.'}</span></span>
<form method="post" action="/account/applications">${csrfField(session)}
<input type="hidden" name="client" value="${clientId}"><button class="button small">Withdraw</button></form></li>`;

const applicationsPage = (listing: Listing, views: readonly ConsentView[]): PageAnswer =>
  page({
    title: 'Applications',
    body: html`<p>${views.length === 0 ? 'You have not allowed any application. One that asks for your permission appears here after you allow it.' : 'These applications can act for you until you withdraw your consent.'}</p>
<section aria-label="What they may do"><ul>${views.map((one) => applicationSection(listing, one))}</ul></section>
<p><a href="/account">Back to your account</a></p>`,
  });

const showApplications = async (
  deps: ApplicationsDeps,
  request: RouteRequest<unknown, Fields, unknown>,
): Promise<PageAnswer> => {
  const current = await currentSession(deps, request.headers);
  if (isLeft(current)) return unavailablePage(current.left.problem.detail);
  if (current.right === null) return redirect('/sign-in?continue=%2Faccount%2Fapplications');
  const consents = await loadConsents(deps, current.right);
  if (isLeft(consents)) return unavailablePage(consents.left.detail);
  const views: ConsentView[] = [];
  for (const [clientId, consent] of consents.right)
    if (consent.givenAt !== null) views.push(await consentViewOf(deps, clientId, consent));
  const apiNames = await loadApiNames(deps, current.right.tenantId);
  if (isLeft(apiNames)) return unavailablePage(apiNames.left.detail);
  return applicationsPage({ session: current.right, apiNames: apiNames.right }, views);
};

const handleConsentRevocation = async (
  deps: ApplicationsDeps,
  { body: fields, headers, requestId }: RouteRequest<unknown, unknown, Fields>,
): Promise<PageAnswer> => {
  const current = await currentSession(deps, headers);
  if (isLeft(current)) return unavailablePage(current.left.problem.detail);
  const { right: session } = current;
  const meant = checkCsrf(fields, { token: session, headers, browsers: deps.browsers });
  if (isLeft(meant)) return meant.left;
  if (session === null || !ClientId.is(fields.client)) return redirect('/account/applications');
  const { tenantId, principalId } = session;
  const context = { at: deps.clock.now(), requestId, commandId: deps.random.uuid() };
  const done = await revokeConsent(deps, { tenantId, principalId, clientId: fields.client }, context);
  return isLeft(done) ? unavailablePage(done.left.detail) : redirect('/account/applications');
};

const commonRoute = {
  path: '/account/applications',
  access: 'public',
  page: true,
  answers: { 200: { description: 'A page.' } },
} as const;

export const applicationsPageRoute = route<ApplicationsDeps>()({
  ...commonRoute,
  method: 'get',
  operation: 'showApplications',
  summary: 'The consents of a person',
  query: LooseFields,
  handle: showApplications,
});

export const revokeConsentRoute = route<ApplicationsDeps>()({
  ...commonRoute,
  method: 'post',
  operation: 'takeBackConsent',
  summary: 'Withdraw a consent, with the grants made by it',
  body: LooseFields,
  bodyType: 'form',
  handle: handleConsentRevocation,
});
