/** The eight checks of a request, in the specification's order, from local knowledge alone. */
import { misdirected, revoked, unscoped, untimely } from './checks';
import type { AccessTokenClaims } from './claims';
import { athOf, type ProofRules } from './dpop';
import { type Either, isLeft, left, right } from './either';
import { challengedBy, invalidToken, missingToken, type Refusal, refusedByPolicy, type Scheme } from './refusal';
import type { Revocations } from './revocations';
import { unbound } from './sender';
import { type TokenChecks, verifyToken } from './token';

/** What came with a request and tells who sends it. */
export interface Credentials {
  readonly authorization: string | undefined;
  readonly proof?: string | undefined;
  readonly certificate?: string | undefined;
  readonly method: string;
  readonly url: string;
}

export interface Asked {
  readonly credentials: Credentials;
  readonly required: readonly string[];
  /** Where requests for several services are checked, the one that this is for. */
  readonly audience?: string | undefined;
  /** It does much harm in wrong hands: who asks waits until there is fresh word of revocations. */
  readonly sensitive?: boolean | undefined;
}

export interface Access {
  readonly claims: AccessTokenClaims;
  readonly kid: string;
}

/** The eighth check: whether this caller may do this; anything but `true` is a no. */
export type Policy = (access: Access, asked: Asked) => boolean | Promise<boolean>;

export interface Checks extends TokenChecks {
  readonly issuer: string;
  readonly audience: string;
  readonly revocations: Revocations;
  /** Without it, tokens that are bound to a key are refused. */
  readonly proofs?: ProofRules | undefined;
  readonly policy?: Policy | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

interface Presented {
  readonly scheme: Scheme;
  readonly token: string;
}

const schemes: ReadonlyMap<string, Scheme> = new Map([
  ['bearer', 'Bearer'],
  ['dpop', 'DPoP'],
]);
const space = 0x20;

const presented = (authorization: string): Presented | undefined => {
  const scheme = schemes.get(authorization.slice(0, Math.max(authorization.indexOf(' '), 0)).toLowerCase());
  if (scheme === undefined) return undefined;
  let [start, end] = [scheme.length, authorization.length];
  while (authorization.charCodeAt(start) === space) start += 1;
  while (authorization.charCodeAt(end - 1) === space) end -= 1;
  return start < end ? { scheme, token: authorization.slice(start, end) } : undefined;
};

/** The checks of what stands in the token, which has been verified. */
const unfit = ({ claims, kid }: Access, checks: Checks, { asked, scheme }: { asked: Asked; scheme: Scheme }) =>
  untimely(claims, checks.now(), scheme) ??
  misdirected(claims, { issuer: checks.issuer, audience: asked.audience ?? checks.audience }, scheme) ??
  unscoped(claims, asked.required, scheme) ??
  revoked(claims, { kid, scheme, sensitive: asked.sensitive }, checks.revocations);

/** The last two, of a caller who may come in as far as the token goes. */
const unproved = async (
  access: Access,
  checks: Checks,
  { asked, shown }: { asked: Asked; shown: Presented },
): Promise<Refusal | undefined> => {
  const { proof, certificate, method, url } = asked.credentials;
  const { scheme, token } = shown;
  const sent = { scheme, token, proof, certificate, method, url, now: checks.now() };
  const refused = await unbound(access.claims, sent, checks.proofs);
  if (refused !== undefined || checks.policy === undefined) return refused;
  return (await checks.policy(access, asked)) === true ? undefined : refusedByPolicy();
};

export const authorize = async (checks: Checks, asked: Asked): Promise<Either<Refusal, Access>> => {
  const { authorization } = asked.credentials;
  if (authorization === undefined) return left(missingToken());
  const shown = presented(authorization);
  if (shown === undefined) return left(invalidToken('Send the access token as a Bearer, or with a DPoP proof.'));
  const { scheme, token } = shown;
  const verified = await verifyToken(checks, { token, hash: athOf(token) });
  if (isLeft(verified)) return left(challengedBy(verified.left, scheme));
  const access = verified.right;
  const refused = unfit(access, checks, { asked, scheme }) ?? (await unproved(access, checks, { asked, shown }));
  return refused === undefined ? right(access) : left(refused);
};
