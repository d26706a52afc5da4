/** A client that signs who it is (RFC 7523), for us alone, for minutes, and once. */
import { createHash } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import { createLocalJWKSet, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from 'jose';
import type { Application } from '../../../domain/identity/client/state';
import type { JsonAnswer } from '../../../infra/http/route';
import type { Replay } from '../../../packages/resource-server/src/verification/index';
import type { ClientKeys } from '../clients/client-keys';
import type { ClientKey } from '../clients/public-keys';
import type { Told } from './client';
import { oauthError } from './oauth-error';

export interface AssertionDeps {
  readonly issuer: string;
  readonly clientKeys: ClientKeys;
  readonly assertions: Replay;
}

export const assertionAlgorithms = ['ES256', 'EdDSA', 'PS256', 'RS256'];
const longestSeconds = 300;
const skewSeconds = 10;
const longestId = 256;
/** Tokens of other kinds that a client could have had signed elsewhere. */
const types = new Set([undefined, 'jwt', 'client-authentication+jwt']);

/** Of nobody: where there is no client, the same work is done in vain. */
const nobody: ClientKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

type Assertion = Told<Extract<Told['presented'], { kind: 'assertion' }>>;

/** Undefined when no key fits, or the claims are not those asked for. */
const signedBy = async (
  keys: readonly ClientKey[],
  assertion: string,
  options: JWTVerifyOptions,
): Promise<JWTPayload | undefined> => {
  const held = createLocalJWKSet({ keys: [...keys] });
  try {
    const { payload, protectedHeader } = await jwtVerify(assertion, held, options);
    return types.has(protectedHeader.typ?.toLowerCase()) ? payload : undefined;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys) || keys.length < 2) return undefined;
    // Without a `kid` each may be the one.
    const [first, ...others] = keys as readonly [ClientKey, ...ClientKey[]];
    return (await signedBy([first], assertion, options)) ?? signedBy(others, assertion, options);
  }
};

const expectations = (issuer: string, { presented, endpoint, at }: Assertion): JWTVerifyOptions => ({
  algorithms: assertionAlgorithms,
  issuer: presented.clientId,
  subject: presented.clientId,
  audience: [issuer, `${issuer}/oauth/token`, endpoint],
  clockTolerance: skewSeconds,
  currentDate: new Date(at),
  requiredClaims: ['exp', 'jti'],
});

/** For several audiences it could be shown to us by another of them; for long, it could be kept. */
const isNarrow = ({ aud, exp = Number.POSITIVE_INFINITY, iat = 0, jti = '' }: JWTPayload, now: number): boolean =>
  (typeof aud === 'string' || aud?.length === 1) &&
  exp <= now + longestSeconds + skewSeconds &&
  iat <= now + skewSeconds &&
  typeof jti === 'string' &&
  jti.length > 0 &&
  jti.length <= longestId;

const unavailable = left(
  oauthError('temporarily_unavailable', 'Whether the assertion was used before cannot be known right now.'),
);

const shownFirst = async (
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

const keysUnavailable = left(oauthError('temporarily_unavailable', 'The keys of the client cannot be had right now.'));

export const provedByAssertion = async (
  deps: AssertionDeps,
  application: Application | undefined,
  told: Assertion,
): Promise<Either<JsonAnswer, boolean>> => {
  const registered = application?.authentication === 'private_key_jwt' ? application : undefined;
  const { assertion, clientId } = told.presented;
  const options = expectations(deps.issuer, told);
  const held = registered === undefined ? [nobody] : await deps.clientKeys.of(registered);
  if (held === undefined) return keysUnavailable;
  const kept = await signedBy(held, assertion, options);
  const anew = kept === undefined && registered !== undefined && registered.jwksUri !== null;
  const payload = anew ? await signedBy((await deps.clientKeys.of(registered, true)) ?? [], assertion, options) : kept;
  const now = Date.parse(told.at);
  if (registered === undefined || payload === undefined || !isNarrow(payload, now / 1000)) return right(false);
  return shownFirst(deps, { ...payload, clientId }, now);
};
