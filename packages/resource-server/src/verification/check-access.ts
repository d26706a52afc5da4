/** The eight checks of a request in the specification's order, from local state. */
import { checkIssuerAndAudience, checkRevoked, checkScopes, checkTimes } from '../access-token/check-claims';
import type { AccessTokenClaims } from '../access-token/claims';
import { type TokenVerificationOptions, verifyToken } from '../access-token/verify-token';
import { accessTokenHash, type DpopOptions } from '../dpop/verify-proof';
import type { RevocationChecker } from '../revocation/revocation-checker';
import { type AccessError, invalidToken, missingToken, refusedByPolicy, type Scheme, withScheme } from './access-error';
import { type Either, isLeft, left, right } from './either';
import { checkSenderConstraint } from './sender-constraint';

/** Credentials of a request. */
export interface PresentedCredentials {
  readonly authorization: string | undefined;
  readonly proof?: string | undefined;
  readonly certificate?: string | undefined;
  readonly method: string;
  readonly url: string;
}

export interface AccessCheckRequest {
  readonly credentials: PresentedCredentials;
  readonly required: readonly string[];
  /** Audience of this request, when several services are checked. */
  readonly audience?: string | undefined;
  /** Sensitive request: requires fresh revocations. */
  readonly sensitive?: boolean | undefined;
}

export interface VerifiedAccess {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
}

/** Check eight: whether this caller may do this; only `true` allows. */
export type Policy = (access: VerifiedAccess, request: AccessCheckRequest) => boolean | Promise<boolean>;

export interface AccessCheckRules extends TokenVerificationOptions {
  readonly issuer: string;
  readonly audience: string;
  readonly revocations: RevocationChecker;
  /** Undefined: DPoP-bound tokens are refused. */
  readonly proofs?: DpopOptions | undefined;
  readonly policy?: Policy | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface AuthorizationToken {
  readonly scheme: Scheme;
  readonly token: string;
}

const schemes: ReadonlyMap<string, Scheme> = new Map([
  ['bearer', 'Bearer'],
  ['dpop', 'DPoP'],
]);
const space = 0x20;

const parseAuthorization = (authorization: string): AuthorizationToken | undefined => {
  const scheme = schemes.get(authorization.slice(0, Math.max(authorization.indexOf(' '), 0)).toLowerCase());
  if (scheme === undefined) return undefined;
  let [start, end] = [scheme.length, authorization.length];
  while (authorization.charCodeAt(start) === space) start += 1;
  while (authorization.charCodeAt(end - 1) === space) end -= 1;
  return start < end ? { scheme, token: authorization.slice(start, end) } : undefined;
};

/** Checks two to six, on verified claims. */
const checkClaims = (
  { claims, kid }: VerifiedAccess,
  checks: AccessCheckRules,
  { request, scheme }: { readonly request: AccessCheckRequest; readonly scheme: Scheme },
) =>
  checkTimes(claims, checks.now(), scheme) ??
  checkIssuerAndAudience(claims, { issuer: checks.issuer, audience: request.audience ?? checks.audience }, scheme) ??
  checkScopes(claims, request.required, scheme) ??
  checkRevoked(claims, { kid, scheme, sensitive: request.sensitive }, checks.revocations);

/** Checks seven and eight. */
const checkSender = async (
  access: VerifiedAccess,
  checks: AccessCheckRules,
  { request, presented }: { readonly request: AccessCheckRequest; readonly presented: AuthorizationToken },
): Promise<AccessError | undefined> => {
  const { proof, certificate, method, url } = request.credentials;
  const { scheme, token } = presented;
  const sent = { scheme, token, proof, certificate, method, url, now: checks.now() };
  const refused = await checkSenderConstraint(access.claims, sent, checks.proofs);
  if (refused !== undefined || checks.policy === undefined) return refused;
  return (await checks.policy(access, request)) === true ? undefined : refusedByPolicy();
};

export const checkAccess = async (
  checks: AccessCheckRules,
  request: AccessCheckRequest,
): Promise<Either<AccessError, VerifiedAccess>> => {
  const { authorization } = request.credentials;
  if (authorization === undefined) return left(missingToken());
  const presented = parseAuthorization(authorization);
  if (presented === undefined) return left(invalidToken('Send the access token as a Bearer, or with a DPoP proof.'));
  const { scheme, token } = presented;
  const verified = await verifyToken(checks, { token, hash: accessTokenHash(token) });
  if (isLeft(verified)) return left(withScheme(verified.left, scheme));
  const access = verified.right;
  const refused = checkClaims(access, checks, { request, scheme });
  if (refused !== undefined) return left({ ...refused, token: { ...access, isCallers: true } });
  const unproven = await checkSender(access, checks, { request, presented });
  return unproven === undefined ? right(access) : left({ ...unproven, token: { ...access, isCallers: false } });
};
