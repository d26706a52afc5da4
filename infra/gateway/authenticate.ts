/** Who sends a request: the checks of an access token, in the specification's order, from local knowledge alone. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Fault, fault, type Rejection } from '../../domain/kernel/rejection';
import { type EpochCache, longestStalenessMilliseconds, longestTokenMilliseconds } from '../epochs/epochs';
import { type Problem, problem, problemOf } from '../http/problem';
import type { Identity } from '../http/route';
import type { Keyring } from './keyring';
import { gatewayProblems } from './problems';
import { type AccessTokenClaims, readToken, verifyToken } from './token';
import type { Verified, VerifiedTokens } from './verified';

export interface Authentication {
  readonly keys: Keyring;
  readonly verified: VerifiedTokens;
  readonly epochs: EpochCache;
  /** Whether this one token was revoked by its id. */
  readonly denied: (tokenId: string) => boolean;
  readonly issuer: string;
  readonly audience: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const skewSeconds = 10;

type Code = 'unauthenticated' | 'token_revoked' | 'revoked' | 'service-unavailable' | 'revocation-state-stale';
type Refusal = Rejection<Code> | Fault<Code>;

const refused = (refusal: Refusal, challenge: string): Problem => {
  const answer = problemOf(refusal, gatewayProblems);
  return answer.problem.status === 401 ? { ...answer, headers: { 'WWW-Authenticate': challenge } } : answer;
};

export const invalid = (
  detail: string,
  code: 'unauthenticated' | 'token_revoked' | 'revoked' = 'unauthenticated',
): Problem =>
  refused({ kind: 'rejection', code, detail }, `Bearer error="invalid_token", error_description="${detail}"`);

const notNow = (code: 'service-unavailable' | 'revocation-state-stale', detail: string): Problem =>
  refused(fault(code, detail), '');

const bearerShape = /^Bearer +([^\s]+) *$/i;

const check = async (
  { keys, verified }: Authentication,
  token: string,
): Promise<Either<Problem, AccessTokenClaims>> => {
  const kept = verified.find(token);
  // A key that was withdrawn withdraws what it signed.
  if (kept !== undefined && keys.has(kept.kid)) return right(kept.claims);
  const read = readToken(token);
  if (isLeft(read)) return left(invalid(read.left));
  const key = await keys.find(read.right.kid);
  if (key === undefined)
    return left(
      keys.loaded()
        ? invalid('The token is signed with a key that is not known.')
        : notNow('service-unavailable', 'The signing keys could not be fetched from the command API yet.'),
    );
  const claims = await verifyToken(read.right, key);
  if (isLeft(claims)) return left(invalid(claims.left));
  const found: Verified = { kid: read.right.kid, claims: claims.right };
  verified.keep(token, found);
  return claims;
};

const untimely = ({ exp, nbf, iat }: AccessTokenClaims, now: number): Problem | undefined => {
  const seconds = now / 1000;
  if (exp <= seconds - skewSeconds) return invalid('The token has expired.');
  if ((nbf ?? iat) > seconds + skewSeconds || iat > seconds + skewSeconds)
    return invalid('The token is not valid yet.');
  // Revocations are remembered for that long.
  if (exp - iat > longestTokenMilliseconds / 1000) return invalid('The token lives too long.');
  return undefined;
};

const misdirected = ({ iss, aud }: AccessTokenClaims, { issuer, audience }: Authentication): Problem | undefined => {
  if (iss !== issuer) return invalid('The token is of another issuer.');
  return aud.includes(audience) ? undefined : invalid('The token is for another audience.');
};

const unscoped = ({ scopes }: AccessTokenClaims, required: readonly string[]): Problem | undefined => {
  const missing = required.filter((scope) => !scopes.includes(scope));
  if (missing.length === 0) return undefined;
  const challenge = `Bearer error="insufficient_scope", scope="${required.join(' ')}"`;
  const refusal = problem('forbidden', `The token lacks the scope ${missing.join(' ')}.`);
  return { ...refusal, headers: { 'WWW-Authenticate': challenge } };
};

/** Asked of tokens, and of what was given in place of one: their revocation may have been heard of in between. */
export const withdrawn = (identity: Identity, { epochs, denied }: Authentication): Problem | undefined => {
  if (epochs.stalenessMilliseconds() > longestStalenessMilliseconds)
    return notNow(
      'revocation-state-stale',
      'Revocations have not been heard of for too long; nobody is let in until they are.',
    );
  if ((identity.securityEpoch ?? 0) < epochs.current(identity.tenantId, identity.principalId))
    return invalid('The token was revoked.', 'token_revoked');
  return denied(identity.tokenId) ? invalid('The token was revoked.', 'revoked') : undefined;
};

const identityOf = (claims: AccessTokenClaims): Identity => ({
  tenantId: claims.tenant_id,
  principalId: claims.sub,
  principalType: claims.principal_type,
  scopes: claims.scopes,
  tokenId: claims.jti,
  expiresAt: claims.exp * 1000,
  securityEpoch: claims.security_epoch,
});

/** `required` scopes are the fourth check; the service makes it again, which knows its routes best. */
export const authenticate = async (
  using: Authentication,
  authorization: string | undefined,
  required: readonly string[] = [],
): Promise<Either<Problem, Identity>> => {
  if (authorization === undefined)
    return left(refused({ kind: 'rejection', code: 'unauthenticated', detail: 'Send an access token.' }, 'Bearer'));
  const [, token] = bearerShape.exec(authorization) ?? [];
  if (token === undefined) return left(invalid('Send the access token as a Bearer.'));
  const claims = await check(using, token);
  if (isLeft(claims)) return claims;
  const refusal =
    untimely(claims.right, using.now()) ??
    misdirected(claims.right, using) ??
    unscoped(claims.right, required) ??
    withdrawn(identityOf(claims.right), using);
  return refusal === undefined ? right(identityOf(claims.right)) : left(refusal);
};
