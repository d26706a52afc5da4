/** Who sends a request: by its token, or by the session that its cookie names. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left } from 'fp-ts/Either';
import type { Problem } from '../../http/problem';
import type { Identity } from '../../http/routing/route';
import {
  type Authentication,
  authenticateRequest,
  authenticateStoredToken,
  credentialsOf,
} from '../authentication/authenticate';
import { clientAddressOf } from '../authentication/client-address';
import type { TokenRequestContext } from './command-api-client';
import type { SessionCookie } from './session-cookie';
import { checkSameOrigin } from './session-cookie';
import type { BffSessionStore } from './session-store';

export interface BffSessions {
  readonly sessions: BffSessionStore;
  readonly cookie: SessionCookie;
  /** Where our own pages are served. */
  readonly origins: readonly string[];
}

export interface IdentifyOptions {
  readonly authentication: Authentication;
  /** Without them, cookies say nothing. */
  readonly browsers?: BffSessions | undefined;
}

export interface IdentifyRequest {
  readonly requestId: string;
  readonly required: readonly string[];
}

export const tokenRequestContextOf = (request: IncomingMessage, requestId: string): TokenRequestContext => ({
  requestId,
  address: clientAddressOf(request),
  // Whoever uses it picks what is for people's own pages; nothing of it is passed on with a request.
  cookie: request.headers.cookie,
});

/** One that was refused a moment after it was issued is not refused for its age. */
const minRenewalAgeMilliseconds = 2_000;

const identifyBySession = async (
  { sessions, origins }: BffSessions,
  id: string,
  {
    authentication,
    request,
    requestId,
    required,
  }: IdentifyRequest & { authentication: Authentication; request: IncomingMessage },
): Promise<Either<Problem, Identity>> => {
  const foreign = checkSameOrigin(request, origins);
  if (foreign !== undefined) return left(foreign);
  const asking = tokenRequestContextOf(request, requestId);
  const session = await sessions.find(id, asking);
  if (isLeft(session)) return session;
  const { accessToken, tokenIssuedAt } = session.right;
  const identity = await authenticateStoredToken(authentication, `Bearer ${accessToken}`, required);
  const young = authentication.now() - tokenIssuedAt < minRenewalAgeMilliseconds;
  if (!isLeft(identity) || identity.left.problem.status !== 401 || young) return identity;
  // Revoked, or signed with a key that is gone: whether there is another is for the command API to say.
  const renewed = await sessions.renew(id, session.right, asking);
  if (isLeft(renewed)) return renewed;
  return authenticateStoredToken(authentication, `Bearer ${renewed.right.accessToken}`, required);
};

export const identifyCaller = (
  { authentication, browsers }: IdentifyOptions,
  request: IncomingMessage,
  asked: IdentifyRequest,
): Promise<Either<Problem, Identity>> => {
  const { authorization } = request.headers;
  const id = authorization === undefined ? browsers?.cookie.read(request) : undefined;
  if (browsers === undefined || id === undefined)
    return authenticateRequest(authentication, credentialsOf(request, authentication), asked.required);
  return identifyBySession(browsers, id, { ...asked, authentication, request });
};
