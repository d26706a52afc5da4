/** What changed about a client since a person allowed it something, or since a page showed it to them. */
import { hash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ClientAuthentication, ClientDescription } from '../../../domain/identity/client/events';
import { type Application, describeClient } from '../../../domain/identity/client/state';
import type { Consent } from '../../../domain/identity/consent/decider';
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

/** A form sends it back, so that an answer counts only for the client that its page showed. */
export const clientFingerprint = (application: Application): string =>
  hash('sha256', JSON.stringify([application.consentEpoch, describeClient(application)]), 'base64url');

/** A consent that the client's change has voided. */
export interface VoidConsent {
  /** As the person was shown it; null: it was not recorded then. */
  readonly client: ClientDescription | null;
}

interface RegisteredClient {
  readonly clientId: ClientId;
  readonly application: Application;
}

const isConsentVoid = ({ words }: Consent, { consentEpoch }: Application): boolean =>
  words.length > 0 && words.every(({ clientEpoch }) => clientEpoch < consentEpoch);

/** Undefined: the person allowed nothing, or what they allowed counts. */
export const loadVoidConsent = async (
  source: StreamSource,
  { tenantId, principalId }: ConsentOwner,
  { clientId, application }: RegisteredClient,
): Promise<Either<EventStoreFault, VoidConsent | undefined>> => {
  const consent = await loadConsent(source, { tenantId, principalId, clientId });
  if (isLeft(consent)) return consent;
  return right(isConsentVoid(consent.right, application) ? { client: consent.right.client } : undefined);
};

const authenticationNames: { readonly [method in ClientAuthentication]: string } = {
  none: 'nothing, so that others can pretend to be it',
  client_secret_basic: 'a secret',
  client_secret_post: 'a secret in the form',
  private_key_jwt: 'a key',
  tls_client_auth: 'a certificate',
  self_signed_tls_client_auth: 'a certificate that it made itself',
};

const joined = (texts: readonly string[]): string => [...new Set(texts)].join(', ');

/** Hosts where they differ, else whole addresses. */
const destinations = (
  { redirectUris: before }: ClientDescription,
  { redirectUris: now }: ClientDescription,
): readonly [string, string] => {
  const hosts = [joined(before.map(destinationName)), joined(now.map(destinationName))] as const;
  return hosts[0] === hosts[1] ? [joined(before.toSorted()), joined(now.toSorted())] : hosts;
};

const changesSince = (approved: ClientDescription, application: ClientDescription): readonly Html[] => {
  const [before, now] = destinations(approved, application);
  const facts = [
    ['Its name is', approved.name, application.name],
    ['Your answer goes to', before, now],
    [
      'It proves itself by',
      authenticationNames[approved.authentication],
      authenticationNames[application.authentication],
    ],
  ] as const;
  return facts
    .filter(([, was, is]) => was !== is)
    .map(([fact, was, is]) => html`<li>${fact} <bdi><strong>${is}</strong></bdi>, no longer <bdi>${was}</bdi>.</li>`);
};

const changesOf = ({ client }: VoidConsent, application: Application): readonly Html[] => {
  if (client === null) return [html`<li>Where your answer goes, or how it proves itself.</li>`];
  const changes = changesSince(client, application);
  return changes.length > 0 ? changes : [html`<li>It was changed, and changed back.</li>`];
};

export const changeNotice = (former: VoidConsent | undefined, application: Application): Html | undefined =>
  former &&
  html`<section class="notice warn" aria-label="What changed">
<p>You allowed this application before. It was changed since, so what you allowed then has ended.</p>
<ul>${changesOf(former, application)}</ul></section>`;

/** On a page that is shown once more, because the client changed between page and answer. */
export const changedMeanwhile = html`<div class="notice bad" role="alert"><p>The application was changed while you were reading. Nothing was allowed: read it again.</p></div>`;
