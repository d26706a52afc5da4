/** Authenticates requests: reads the credentials, runs the access check, and maps its result to an identity or a problem. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type AccessCheckRules,
  type AccessError,
  type AccessTokenClaims,
  type ClientCertificate,
  checkAccess,
  checkRevoked,
  invalidToken,
  missingToken,
  type PresentedCredentials,
  priorActorsOf,
  type VerifiedAccess,
  withResourceMetadata,
} from '../../../packages/resource-server/src/verification/index';
import { optional, revocableOf } from '../../server/http/identity/revocable-claims';
import { type Problem, problemOf } from '../../server/http/problem';
import type { DelegatedAccess, Identity } from '../../server/http/routing/route';
import { gatewayProblems } from '../problems';

export interface Authentication extends AccessCheckRules {
  /** The origin that clients write into DPoP proofs. */
  readonly origin: string;
  /** All public origins, when there are several. */
  readonly origins?: readonly string[];
  /** Where the metadata of our own API is, as challenges name it (RFC 9728). */
  readonly resourceMetadata?: string;
  /** The client certificate of the request, if it can be trusted. */
  readonly certificateOf?: ((request: IncomingMessage) => ClientCertificate | undefined) | undefined;
}

/** Names the metadata in the challenge, where there is one. */
const challengesOf = (
  headers: AccessError['headers'],
  { resourceMetadata: url }: Pick<Authentication, 'resourceMetadata'>,
): AccessError['headers'] => {
  const { 'WWW-Authenticate': challenge } = headers;
  if (challenge === undefined || url === undefined) return headers;
  return { ...headers, 'WWW-Authenticate': withResourceMetadata(challenge, url) };
};

const missing = missingToken().detail;

/** Operators read what was wrong, callers what to do. */
const refusalOf = ({ token, detail }: AccessError): Pick<Problem, 'refused'> =>
  token === undefined
    ? detail === missing
      ? { refused: { reason: 'The request had no access token.' } }
      : {}
    : {
        refused: {
          tenantId: token.claims.tenant_id,
          principalId: token.claims.sub,
          ...optional('clientId', token.claims.client_id),
          isProven: token.isCallers,
        },
      };

export const problemFor = (error: AccessError, resource: Pick<Authentication, 'resourceMetadata'> = {}): Problem => {
  const { code, detail, headers } = error;
  const answer = problemOf({ kind: 'rejection', code, detail }, gatewayProblems);
  return { ...answer, ...refusalOf(error), headers: { ...answer.headers, ...challengesOf(headers, resource) } };
};

export const invalidCredentials = (detail: string, authentication: Authentication): Problem =>
  problemFor(invalidToken(detail), authentication);

/** Checks an identity that did not come from the request's own token, for example from a ticket: it may have been revoked since. */
export const checkRevocation = (identity: Identity, authentication: Authentication): Problem | undefined => {
  const { revocations } = authentication;
  const refused = checkRevoked(revocableOf(identity), { kid: identity.keyId ?? '', scheme: 'Bearer' }, revocations);
  return refused === undefined ? undefined : problemFor(refused, authentication);
};

/** Of a token by which an agent acts for another principal. */
export const delegatedAccessOf = (claims: AccessTokenClaims): { readonly delegation?: DelegatedAccess } => {
  const { delegation_id: delegationId, task_id: taskId, on_behalf_of: onBehalfOf, obo_epoch: onBehalfOfEpoch } = claims;
  if (delegationId === undefined || taskId === undefined || onBehalfOf === undefined) return {};
  const priorActors = priorActorsOf(claims).map(({ sub, security_epoch: securityEpoch = 0, gid = '' }) => ({
    principalId: sub,
    securityEpoch,
    grantId: gid,
  }));
  return { delegation: { delegationId, taskId, onBehalfOf, onBehalfOfEpoch: onBehalfOfEpoch ?? 0, priorActors } };
};

/** A token bound to both is presented with both; the certificate is of the connection. */
const bindingOf = ({ cnf }: AccessTokenClaims): Pick<Identity, 'binding'> => {
  if (cnf === undefined) return {};
  return { binding: cnf['x5t#S256'] === undefined ? 'dpop' : 'mtls' };
};

export const identityOf = ({ claims, kid }: VerifiedAccess): Identity => ({
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
    : { authenticatedAt: claims.auth_time * 1000, multiFactor: claims.acr === '2', methods: claims.amr ?? [] }),
  ...(claims.auth_context === undefined ? {} : { authContext: claims.auth_context }),
  ...bindingOf(claims),
  ...optional('keyThumbprint', claims.cnf?.jkt ?? claims.cnf?.['x5t#S256']),
  ...delegatedAccessOf(claims),
});

export interface AccessRequirements {
  readonly required?: readonly string[];
  /** Receives what the check found. */
  readonly observe?: (access: Either<AccessError, VerifiedAccess>) => void;
}

/** Checks `required` scopes, too; the service repeats that check, as it knows its routes best. */
export const authenticateRequest = async (
  using: Authentication,
  credentials: PresentedCredentials,
  { required = [], observe }: AccessRequirements = {},
): Promise<Either<Problem, Identity>> => {
  const access = await checkAccess(using, { credentials, required });
  observe?.(access);
  return isLeft(access) ? left(problemFor(access.left, using)) : right(identityOf(access.right));
};

/** Authenticates a token that the gateway stores, for example in a browser session. */
export const authenticateStoredToken = (
  using: Authentication,
  authorization: string | undefined,
  requirements: AccessRequirements = {},
): Promise<Either<Problem, Identity>> =>
  authenticateRequest(using, { authorization, method: 'GET', url: using.origin }, requirements);

const singleHeader = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(', ') : value;

/** With several public origins, the `Host` header selects one; unknown hosts are ignored. */
const originOf = ({ headers: { host } }: IncomingMessage, { origin, origins }: Authentication): string =>
  origins?.find((one) => one.slice(one.indexOf('//') + 2) === host) ?? origin;

export const credentialsOf = (request: IncomingMessage, using: Authentication): PresentedCredentials => ({
  authorization: request.headers.authorization,
  proof: singleHeader(request.headers.dpop),
  certificate: using.certificateOf?.(request)?.thumbprint,
  method: request.method ?? '',
  url: `${originOf(request, using)}${request.url ?? ''}`,
});

/** Sends the next DPoP nonce ahead, which saves the client a `use_dpop_nonce` round trip. */
export const setDpopNonce = (response: ServerResponse, { proofs, now }: Authentication): void => {
  if (response.req.headers.dpop === undefined || proofs?.nonces === undefined) return;
  response.setHeader('DPoP-Nonce', proofs.nonces.current(now()));
};
