/** What changed about a client since a person allowed it something: the page that asks again says so. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ClientAuthentication, FormerClient } from '../../../domain/identity/client/events';
import { type Application, clientAsApproved } from '../../../domain/identity/client/state';
import type { ClientId } from '../../../domain/identity/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { StreamSource } from '../../kernel/load-stream';
import { type Html, html } from '../pages/html';
import { type ConsentOwner, loadConsent } from './consent-records';

/** The redirect target in readable form. */
export const destinationName = (redirectUri: string): string => {
  const { protocol, host } = new URL(redirectUri);
  return protocol === 'https:' ? host : `an application on this device (${host === '' ? protocol : host})`;
};

interface RegisteredClient {
  readonly clientId: ClientId;
  readonly application: Application;
}

/** The client as the person allowed it, if that is void by now; undefined: nothing was allowed, or it counts. */
export const loadFormerClient = async (
  source: StreamSource,
  { tenantId, principalId }: ConsentOwner,
  { clientId, application }: RegisteredClient,
): Promise<Either<EventStoreFault, FormerClient | undefined>> => {
  const consent = await loadConsent(source, { tenantId, principalId, clientId });
  if (isLeft(consent)) return consent;
  const { givenAt } = consent.right;
  return right(givenAt === null ? undefined : clientAsApproved(application, givenAt));
};

const authenticationNames: { readonly [method in ClientAuthentication]: string } = {
  none: 'nothing, so that others can pretend to be it',
  client_secret_basic: 'a secret',
  client_secret_post: 'a secret',
  private_key_jwt: 'a key',
  tls_client_auth: 'a certificate',
  self_signed_tls_client_auth: 'a certificate that it made itself',
};

const destinationsOf = ({ redirectUris }: FormerClient): string =>
  [...new Set(redirectUris.map(destinationName))].join(', ');

const changesSince = (former: FormerClient, application: Application): readonly Html[] => {
  const facts = [
    ['Its name is', former.name, application.name],
    ['Your answer goes to', destinationsOf(former), destinationsOf(application)],
    [
      'It proves itself by',
      authenticationNames[former.authentication],
      authenticationNames[application.authentication],
    ],
  ] as const;
  return facts
    .filter(([, was, is]) => was !== is)
    .map(([fact, was, is]) => html`<li>${fact} <strong>${is}</strong>, no longer ${was}.</li>`);
};

export const changeNotice = (former: FormerClient | undefined, application: Application): Html | undefined => {
  if (former === undefined) return undefined;
  const changes = changesSince(former, application);
  return html`<section class="notice warn" aria-label="What changed">
<p>You allowed this application before. It was changed since, so what you allowed then has ended.</p>
<ul>${changes.length > 0 ? changes : html`<li>Your answer goes to another address of the same site.</li>`}</ul></section>`;
};
