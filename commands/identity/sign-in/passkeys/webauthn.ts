/** WebAuthn options and verification, for discoverable passkeys with user verification. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as t from 'io-ts';
import type { Passkey, Person } from '../../../../domain/identity/authenticators/state';
import { record, text } from '../../../../domain/kernel/codec';
import type { PersonId } from '../../people/load-person';
import type { PageRequest } from '../dependencies';

/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257];
const timeoutMilliseconds = 5 * 60_000;

/** Loaded on first use: it takes a fifth of the process's start. */
const loadLibrary = () => import('@simplewebauthn/server');

export interface RelyingParty {
  readonly origin: string;
  readonly rpId: string;
}

/** Undefined for IP addresses: passkeys need a host name. */
export const relyingPartyOf = (origins: readonly string[], { headers }: PageRequest): RelyingParty | undefined => {
  const requestedOrigin = `${headers['x-forwarded-proto']}://${headers['x-forwarded-host']}`.toLowerCase();
  const origin = origins.find((own) => own === requestedOrigin) ?? origins[0];
  if (origin === undefined) return undefined;
  return isIpAddress(origin) ? undefined : { origin, rpId: new URL(origin).hostname };
};

const isIpAddress = (origin: string): boolean => isIP(new URL(origin).hostname.replaceAll(/[[\]]/g, '')) !== 0;

/** An own origin with a host name; undefined: there is none. */
export const findNamedOrigin = (origins: readonly string[]): string | undefined =>
  origins.find((origin) => !isIpAddress(origin));

/** A hash: authenticators reveal nothing about the person. */
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
  {
    id,
    person,
    names,
  }: {
    readonly id: PersonId;
    readonly person: Person;
    readonly names: { readonly login: string; readonly displayName: string };
  },
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

/** Unverified; `consumeChallenge` decides whether it is valid. */
export const challengeFrom = (clientDataJson: string): string => {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    const challenge = typeof data === 'object' && data !== null ? Reflect.get(data, 'challenge') : undefined;
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
};

/** Undefined: verification failed. The library throws on invalid input. */
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

/** The signature counter; undefined: verification failed. The person's decider compares it with the recorded one. */
export const verifyAssertion = async (
  { origin, rpId }: RelyingParty,
  challenge: string,
  { answer, passkey }: { readonly answer: Assertion; readonly passkey: Passkey },
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
