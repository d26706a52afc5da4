/** Who sends a request: the checks of an access token, as the gateway's callers and its answers know them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type AccessCheckRules,
  type AccessError,
  type ClientCertificate,
  checkAccess,
  checkRevoked,
  invalidToken,
  type PresentedCredentials,
  type VerifiedAccess,
} from '../../../packages/resource-server/src/verification/index';
import { type Problem, problemOf } from '../../http/problem';
import { optional, revocableOf } from '../../http/revocable';
import type { Identity } from '../../http/route';
import { gatewayProblems } from '../problems';

export interface Authentication extends AccessCheckRules {
  /** Scheme and host of what clients ask for, as they write them into proofs. */
  readonly origin: string;
  /** All that we are reached by, where it is more than one. */
  readonly origins?: readonly string[];
  /** The certificate that a request came with, as far as it can be believed. */
  readonly certificateOf?: ((request: IncomingMessage) => ClientCertificate | undefined) | undefined;
}

export const problemFor = ({ code, detail, headers }: AccessError): Problem => {
  const answer = problemOf({ kind: 'rejection', code, detail }, gatewayProblems);
  return { ...answer, headers: { ...answer.headers, ...headers } };
};

export const invalidCredentials = (detail: string): Problem => problemFor(invalidToken(detail));

/** Asked of what was given in place of a token: its revocation may have been heard of in between. */
export const checkRevocation = (identity: Identity, { revocations }: Authentication): Problem | undefined => {
  const refused = checkRevoked(revocableOf(identity), { kid: identity.keyId ?? '', scheme: 'Bearer' }, revocations);
  return refused === undefined ? undefined : problemFor(refused);
};

const identityOf = ({ claims, kid }: VerifiedAccess): Identity => ({
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
export const authenticateRequest = async (
  using: Authentication,
  credentials: PresentedCredentials,
  required: readonly string[] = [],
): Promise<Either<Problem, Identity>> => {
  const access = await checkAccess(using, { credentials, required });
  return isLeft(access) ? left(problemFor(access.left)) : right(identityOf(access.right));
};

/** Of a token that is kept here, which nobody sends. */
export const authenticateStoredToken = (
  using: Authentication,
  authorization: string | undefined,
  required: readonly string[] = [],
): Promise<Either<Problem, Identity>> =>
  authenticateRequest(using, { authorization, method: 'GET', url: using.origin }, required);

/** What of a request tells who sends it. */

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** Of several names that we are reached by, `Host` may say which was meant; that of a stranger says nothing. */
const originOf = ({ headers: { host } }: IncomingMessage, { origin, origins }: Authentication): string =>
  origins?.find((one) => one.slice(one.indexOf('//') + 2) === host) ?? origin;

export const credentialsOf = (request: IncomingMessage, using: Authentication): PresentedCredentials => ({
  authorization: request.headers.authorization,
  proof: singleHeader(request.headers.dpop),
  certificate: using.certificateOf?.(request)?.thumbprint,
  method: request.method ?? '',
  url: `${originOf(request, using)}${request.url ?? ''}`,
});

/** For the proof after this one: a client then need not be told. */
export const setDpopNonce = (response: ServerResponse, { proofs, now }: Authentication): void => {
  if (response.req.headers.dpop === undefined || proofs?.nonces === undefined) return;
  response.setHeader('DPoP-Nonce', proofs.nonces.current(now()));
};
