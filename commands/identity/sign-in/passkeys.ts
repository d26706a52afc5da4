/** Passkeys: found by the browser without a login, with the person verified by what holds the key. */
import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import * as t from 'io-ts';
import type { Passkey, Person } from '../../../domain/identity/authenticators/state';
import { record, text } from '../../../domain/kernel/codec';
import type { Arrived } from './deps';
import type { PersonId } from './person';

/** EdDSA, ES256, RS256: what browsers and keys offer. */
const algorithms = [-8, -7, -257];
const patienceMilliseconds = 5 * 60_000;

/** With the first passkey: it is a fifth of what a process would load to start. */
const library = () => import('@simplewebauthn/server');

export interface Place {
  readonly origin: string;
  readonly rpId: string;
}

/** Where the person sees us. Undefined where browsers have no passkeys: an address is no name. */
export const placeOf = (origins: readonly string[], { headers }: Arrived): Place | undefined => {
  const asked = `${headers['x-forwarded-proto']}://${headers['x-forwarded-host']}`.toLowerCase();
  const origin = origins.find((own) => own === asked) ?? origins[0];
  if (origin === undefined) return undefined;
  return isAddress(origin) ? undefined : { origin, rpId: new URL(origin).hostname };
};

const isAddress = (origin: string): boolean => isIP(new URL(origin).hostname.replaceAll(/[[\]]/g, '')) !== 0;

/** The same pages by a name, for who came by an address; undefined where we have none. */
export const namedOrigin = (origins: readonly string[]): string | undefined =>
  origins.find((origin) => !isAddress(origin));

/** Says nothing of the person to whoever reads it from the authenticator. */
const handleOf = ({ tenantId, principalId }: PersonId): string =>
  createHash('sha256')
    .update(JSON.stringify(['passkey-user', tenantId, principalId]))
    .digest('base64url');

const credential = ({ passkeyId, transports }: Passkey) => ({ type: 'public-key', id: passkeyId, transports });

export const registrationOptions = (
  { rpId }: Place,
  challenge: string,
  [id, person, names]: readonly [PersonId, Person, { readonly login: string; readonly displayName: string }],
) => ({
  challenge,
  rp: { id: rpId, name: 'Septet' },
  user: { id: handleOf(id), name: names.login, displayName: names.displayName },
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
  timeout: patienceMilliseconds,
  attestation: 'none',
  excludeCredentials: [...person.passkeys.values()].map(credential),
  authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
});

export const assertionOptions = ({ rpId }: Place, challenge: string) => ({
  challenge,
  rpId,
  timeout: patienceMilliseconds,
  allowCredentials: [],
  userVerification: 'required',
});

const base64url = (name: string, maxLength: number) => text(name, { maxLength, pattern: '[A-Za-z0-9_-]+' });
const Bytes = base64url('Bytes', 16_384);
const base = {
  id: base64url('CredentialId', 1_400),
  rawId: base64url('CredentialId', 1_400),
  type: t.literal('public-key'),
};

export const Assertion = record('Assertion', {
  ...base,
  response: record('AssertionResponse', { clientDataJSON: Bytes, authenticatorData: Bytes, signature: Bytes }),
});
export type Assertion = t.TypeOf<typeof Assertion>;

export const Registration = record('Registration', {
  ...base,
  response: record(
    'RegistrationResponse',
    { clientDataJSON: Bytes, attestationObject: Bytes },
    { transports: t.array(text('Transport', { maxLength: 32 })) },
  ),
});
export type Registration = t.TypeOf<typeof Registration>;

/** What the browser signed, as it says; whether it is one of ours is for `spendChallenge`. */
export const challengeIn = (clientDataJson: string): string => {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8'));
    const challenge = typeof data === 'object' && data !== null ? Reflect.get(data, 'challenge') : undefined;
    return typeof challenge === 'string' ? challenge : '';
  } catch {
    return '';
  }
};

/** Undefined: it does not fit. The library throws at whatever it does not understand: strangers send it. */
export const verifyRegistration = async ({ origin, rpId }: Place, challenge: string, answer: Registration) => {
  try {
    const { verifyRegistrationResponse } = await library();
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
  { origin, rpId }: Place,
  challenge: string,
  [answer, passkey]: readonly [Assertion, Passkey],
): Promise<number | undefined> => {
  const publicKey = new Uint8Array(Buffer.from(passkey.publicKey, 'base64url'));
  try {
    const { verifyAuthenticationResponse } = await library();
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
