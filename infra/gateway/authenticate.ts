/** Who sends a request: the checks of an access token, as the gateway's callers and its answers know them. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type Access,
  authorize,
  type Checks,
  type ClientCertificate,
  type Credentials,
  invalidToken,
  type Refusal,
  revoked,
} from '../../packages/resource-server/src/verification/index';
import { type Problem, problemOf } from '../http/problem';
import { optional, revocableOf } from '../http/revocable';
import type { Identity } from '../http/route';
import { gatewayProblems } from './problems';

export interface Authentication extends Checks {
  /** Scheme and host of what clients ask for, as they write them into proofs. */
  readonly origin: string;
  /** All that we are reached by, where it is more than one. */
  readonly origins?: readonly string[];
  /** The certificate that a request came with, as far as it can be believed. */
  readonly certificateOf?: ((request: IncomingMessage) => ClientCertificate | undefined) | undefined;
}

export const problemFor = ({ code, detail, headers }: Refusal): Problem => {
  const answer = problemOf({ kind: 'rejection', code, detail }, gatewayProblems);
  return { ...answer, headers: { ...answer.headers, ...headers } };
};

export const invalid = (detail: string): Problem => problemFor(invalidToken(detail));

/** Asked of what was given in place of a token: its revocation may have been heard of in between. */
export const withdrawn = (identity: Identity, { revocations }: Authentication): Problem | undefined => {
  const refused = revoked(revocableOf(identity), { kid: identity.keyId ?? '', scheme: 'Bearer' }, revocations);
  return refused === undefined ? undefined : problemFor(refused);
};

const identityOf = ({ claims, kid }: Access): Identity => ({
  tenantId: claims.tenant_id,
  principalId: claims.sub,
  principalType: claims.principal_type,
  scopes: claims.scopes,
  tokenId: claims.jti,
  expiresAt: claims.exp * 1000,
  securityEpoch: claims.security_epoch,
  issuedAt: claims.iat * 1000,
  keyId: kid,
  ...optional('clientId', claims.client_id),
  ...optional('grantId', claims.gid),
  ...optional('sessionId', claims.sid),
  ...(claims.auth_time === undefined
    ? {}
    : { authenticatedAt: claims.auth_time * 1000, multiFactor: claims.acr === '2' }),
});

/** `required` scopes are the fourth check; the service makes it again, which knows its routes best. */
export const authenticateSender = async (
  using: Authentication,
  credentials: Credentials,
  required: readonly string[] = [],
): Promise<Either<Problem, Identity>> => {
  const access = await authorize(using, { credentials, required });
  return isLeft(access) ? left(problemFor(access.left)) : right(identityOf(access.right));
};

/** Of a token that is kept here, which nobody sends. */
export const authenticate = (
  using: Authentication,
  authorization: string | undefined,
  required: readonly string[] = [],
): Promise<Either<Problem, Identity>> =>
  authenticateSender(using, { authorization, method: 'GET', url: using.origin }, required);
