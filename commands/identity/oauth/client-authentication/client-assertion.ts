/** private_key_jwt client authentication (RFC 7523): for this issuer only, short-lived, single use. */
import { createHash } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { Application } from '../../../../domain/identity/client/state';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import type { ReplayCache } from '../../../../packages/resource-server/src/verification/index';
import type { ClientJwksCache, ClientKey } from '../../clients/client-jwks';
import { oauthError } from '../token/oauth-error';
import type { ClientProof } from './authenticated-client';

export interface AssertionDeps {
  readonly issuer: string;
  readonly clientKeys: ClientJwksCache;
  readonly assertions: ReplayCache;
}

export const assertionAlgorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'];
/** FAPI 2.0 Security Profile, section 5.4. */
const fapiAlgorithms = assertionAlgorithms.filter((algorithm) => algorithm !== 'RS256');
const maxAssertionSeconds = 300;
const skewSeconds = 10;
const maxIdLength = 256;
/** Other types could be tokens that the client obtained elsewhere. */
const assertionTypes = new Set([undefined, 'jwt', 'client-authentication+jwt']);

/** Verifies against a placeholder for unknown clients, so that timing reveals nothing. */
const placeholderKey: ClientKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

type AssertionProof = ClientProof<Extract<ClientProof['presented'], { kind: 'assertion' }>>;

/** Undefined: no key verifies the assertion, or a claim does not match. */
const verifyWithKeys = async (
  keys: readonly ClientKey[],
  assertion: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload | undefined> => {
  const keySet = createLocalJWKSet({ keys: [...keys] });
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, keySet, options);
    return assertionTypes.has(protectedHeader.typ?.toLowerCase()) ? payload : undefined;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys) || keys.length < 2) return undefined;
    // Without a `kid`, tries every key.
    const [first, ...others] = keys as readonly [ClientKey, ...ClientKey[]];
    return (await verifyWithKeys([first], assertion, options)) ?? verifyWithKeys(others, assertion, options);
  }
};

/** Of a client that is FAPI for the issuer alone (FAPI 2.0 Security Profile, section 5.3.2.1). */
const verifyOptions = (
  issuer: string,
  { presented, endpoint, at }: AssertionProof,
  fapi: boolean,
): JWTVerifyOptions => ({
  algorithms: fapi ? fapiAlgorithms : assertionAlgorithms,
  issuer: presented.clientId,
  subject: presented.clientId,
  audience: fapi ? issuer : [issuer, `${issuer}/oauth/token`, endpoint],
  clockTolerance: skewSeconds,
  currentDate: new Date(at),
  requiredClaims: ['exp', 'jti'],
});

/** With several audiences, another one could replay the assertion; a long lifetime would make it worth storing. */
const isBounded = (
  { aud, exp = Number.POSITIVE_INFINITY, iat = 0, jti = '' }: JWTPayload,
  { now, fapi }: { readonly now: number; readonly fapi: boolean },
): boolean =>
  (typeof aud === 'string' || (aud?.length === 1 && !fapi)) &&
  exp <= now + maxAssertionSeconds + skewSeconds &&
  iat <= now + skewSeconds &&
  typeof jti === 'string' &&
  jti.length > 0 &&
  jti.length <= maxIdLength;

const unavailable = left(
  oauthError('temporarily_unavailable', 'The assertion cannot be checked for replay right now.'),
);

const registerAssertion = async (
  { assertions }: AssertionDeps,
  { clientId, jti, exp = 0 }: JWTPayload & { readonly clientId: string },
  milliseconds: number,
): Promise<Either<JsonAnswer, boolean>> => {
  const id = createHash('sha256')
    .update(JSON.stringify([clientId, jti]))
    .digest('base64url');
  const first = await assertions.first(id, (exp + skewSeconds + 1) * 1000 - milliseconds);
  return first._tag === 'Left' ? unavailable : right(first.right);
};

const keysUnavailable = left(
  oauthError('temporarily_unavailable', 'The keys of the client cannot be fetched right now.'),
);

export const verifyClientAssertion = async (
  deps: AssertionDeps,
  application: Application | undefined,
  proof: AssertionProof,
): Promise<Either<JsonAnswer, boolean>> => {
  const registered = application?.authentication === 'private_key_jwt' ? application : undefined;
  const { assertion, clientId } = proof.presented;
  const fapi = registered?.fapi === true;
  const options = verifyOptions(deps.issuer, proof, fapi);
  const keySet = registered === undefined ? [placeholderKey] : await deps.clientKeys.of(registered);
  if (keySet === undefined) return keysUnavailable;
  const verified = await verifyWithKeys(keySet, assertion, options);
  const refetch = verified === undefined && registered !== undefined && registered.jwksUri !== null;
  const payload = refetch
    ? await verifyWithKeys((await deps.clientKeys.of(registered, true)) ?? [], assertion, options)
    : verified;
  const now = Date.parse(proof.at);
  if (registered === undefined || payload === undefined || !isBounded(payload, { now: now / 1000, fapi }))
    return right(false);
  return registerAssertion(deps, { ...payload, clientId }, now);
};
