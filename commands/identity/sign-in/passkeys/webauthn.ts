/** Passkeys: found by the browser without a login, with the person verified by what holds the key. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as t from 'io-ts';
import type { Passkey, Person } from '../../../../domain/identity/authenticators/state';
import { record, text } from '../../../../domain/kernel/codec';
import type { PersonId } from '../../people/load-person';
import type { PageRequest } from '../dependencies';

/** EdDSA, ES256, RS256: what browsers and keys offer. */
const algorithms = [-8, -7, -257];
const timeoutMilliseconds = 5 * 60_000;

/** With the first passkey: it is a fifth of what a process would load to start. */
const loadLibrary = () => import('@simplewebauthn/server');

export interface RelyingParty {
  readonly origin: string;
  readonly rpId: string;
}

/** Where the person sees us. Undefined where browsers have no passkeys: an address is no name. */
export const relyingPartyOf = (origins: readonly string[], { headers }: PageRequest): RelyingParty | undefined => {
  const requestedOrigin = `${headers['x-forwarded-proto']}://${headers['x-forwarded-host']}`.toLowerCase();
  const origin = origins.find((own) => own === requestedOrigin) ?? origins[0];
  if (origin === undefined) return undefined;
  return isIpAddress(origin) ? undefined : { origin, rpId: new URL(origin).hostname };
};

const isIpAddress = (origin: string): boolean => isIP(new URL(origin).hostname.replaceAll(/[[\]]/g, '')) !== 0;

/** The same pages by a name, for who came by an address; undefined where we have none. */
export const findNamedOrigin = (origins: readonly string[]): string | undefined =>
  origins.find((origin) => !isIpAddress(origin));

/** Says nothing of the person to whoever reads it from the authenticator. */
const userHandleOf = ({ tenantId, principalId }: PersonId): string =>
  createHash('sha256')
    .update(JSON.stringify(['passkey-user', tenantId, principalId]))
    .digest('base64url');

const credentialDescriptor = ({ passkeyId, transports }: Passkey) => ({
  type: 'public-key',
  id: passkeyId,
  transports,
});

export const registrationOptions = (
  { rpId }: RelyingParty,
  challenge: string,
  [id, person, names]: readonly [PersonId, Person, { readonly login: string; readonly displayName: string }],
) => ({
  challenge,
  rp: { id: rpId, name: 'Septet' },
  user: { id: userHandleOf(id), name: names.login, displayName: names.displayName },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: timeoutMilliseconds,
  attestation: 'none',
  excludeCredentials: [...person.passkeys.values()].map(credentialDescriptor),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
});

export const assertionOptions = ({ rpId }: RelyingParty, challenge: string) => ({
  challenge,
  rpId,
  timeout: timeoutMilliseconds,
  allowCredentials: [],
  userVerification: 'required',
});

const base64url = (name: string, maxLength: number) => text(name, { maxLength, pattern: '[A-Za-z0-9_-]+' });
const Bytes = base64url('Bytes', 16_384);
const credentialFields = {
  id: base64url('CredentialId', 1_400),
  rawId: base64url('CredentialId', 1_400),
  type: t.literal('public-key'),
};

export const Assertion = record('Assertion', {
  ...credentialFields,
  response: record('AssertionResponse', { clientDataJSON: Bytes, authenticatorData: Bytes, signature: Bytes }),
});
export type Assertion = t.TypeOf<typeof Assertion>;

export const Registration = record('Registration', {
  ...credentialFields,
  response: record(
    'RegistrationResponse',
    { clientDataJSON: Bytes, attestationObject: Bytes },
    { transports: t.array(text('Transport', { maxLength: 32 })) },
  ),
});
export type Registration = t.TypeOf<typeof Registration>;

/** What the browser signed, as it says; whether it is one of ours is for `spendChallenge`. */
export const challengeFrom = (clientDataJson: string): string => {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    const challenge = typeof data === 'object' && data !== null ? Reflect.get(data, 'challenge') : undefined;
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
};

/** Undefined: it does not fit. The library throws at whatever it does not understand: strangers send it. */
export const verifyRegistration = async ({ origin, rpId }: RelyingParty, challenge: string, answer: Registration) => {
  try {
    const { verifyRegistrationResponse } = await loadLibrary();
    const found = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} } as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    return found.verified ? found.registrationInfo.credential : undefined;
  } catch {
    return undefined;
  }
};

/** The counter that it shows; undefined: it does not fit. What is recorded of counters is for the person's rules to hold it against. */
export const verifyAssertion = async (
  { origin, rpId }: RelyingParty,
  challenge: string,
  [answer, passkey]: readonly [Assertion, Passkey],
): Promise<number | undefined> => {
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
  try {
    const { verifyAuthenticationResponse } = await loadLibrary();
    const found = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: { id: passkey.passkeyId, publicKey, counter: 0 },
    });
    return found.verified ? found.authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
};
