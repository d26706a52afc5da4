/** Identifies the caller by the access token or by the session cookie. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left } from 'fp-ts/Either';
import type { Problem } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { noteAccess } from '../auth-events/decision-notes';
import {
  type AccessRequirements,
  type Authentication,
  authenticateRequest,
  authenticateStoredToken,
  credentialsOf,
} from '../authentication/authenticate';
import { clientAddressOf } from '../authentication/client-address';
import type { TokenRequestContext } from './command-api-client';
import type { OwnPages, SessionCookie } from './session-cookie';
import { checkSameOrigin } from './session-cookie';
import type { BffSessionStore } from './session-store';

export interface BffSessions extends OwnPages {
  readonly sessions: BffSessionStore;
  readonly cookie: SessionCookie;
}

export interface IdentifyOptions {
  readonly authentication: Authentication;
  /** Without them, cookies are ignored. */
  readonly browsers?: BffSessions | undefined;
}

export interface IdentifyRequest {
  readonly requestId: string;
  readonly required: readonly string[];
}

export const tokenRequestContextOf = (request: IncomingMessage, requestId: string): TokenRequestContext => ({
  requestId,
  address: clientAddressOf(request),
  // The command API client sends only the account cookie of it.
  cookie: request.headers.cookie,
});

/** Younger tokens are not renewed after a 401: a new one would be refused, too. */
const minRenewalAgeMilliseconds = 2_000;

const identifyBySession = async (
  { sessions, ...pages }: BffSessions,
  id: string,
  {
    authentication,
    request,
    requestId,
    requirements,
  }: Pick<IdentifyRequest, 'requestId'> & {
    authentication: Authentication;
    request: IncomingMessage;
    requirements: AccessRequirements;
  },
): Promise<Either<Problem, Identity>> => {
  const foreign = checkSameOrigin(request, pages);
  if (foreign !== undefined) return left(foreign);
  const asking = tokenRequestContextOf(request, requestId);
  const session = await sessions.find(id, asking);
  if (isLeft(session)) return session;
  const { accessToken, tokenIssuedAt } = session.right;
  const identity = await authenticateStoredToken(authentication, `Bearer ${accessToken}`, requirements);
  const young = authentication.now() - tokenIssuedAt < minRenewalAgeMilliseconds;
  if (!isLeft(identity) || identity.left.problem.status !== 401 || young) return identity;
  // The token is revoked or its key is gone; the command API decides whether the session gets another.
  const renewed = await sessions.renew(id, session.right, asking);
  if (isLeft(renewed)) return renewed;
  return authenticateStoredToken(authentication, `Bearer ${renewed.right.accessToken}`, requirements);
};

export const identifyCaller = (
  { authentication, browsers }: IdentifyOptions,
  request: IncomingMessage,
  { requestId, required }: IdentifyRequest,
): Promise<Either<Problem, Identity>> => {
  const requirements: AccessRequirements = { required, observe: (access) => noteAccess(request, access) };
  const { authorization } = request.headers;
  const id = authorization === undefined ? browsers?.cookie.read(request) : undefined;
  if (browsers === undefined || id === undefined)
    return authenticateRequest(authentication, credentialsOf(request, authentication), requirements);
  return identifyBySession(browsers, id, { requestId, requirements, authentication, request });
};
