/** Who sends a request: by its token, or by the session that its cookie names. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left } from 'fp-ts/Either';
import type { Problem } from '../http/problem';
import type { Identity } from '../http/route';
import { type Authentication, authenticate, authenticateSender } from './authenticate';
import { addressOf } from './client-address';
import { credentialsOf } from './credentials';
import type { Asking } from './session-asking';
import type { SessionCookie } from './session-cookie';
import { foreignPage } from './session-guard';
import type { Sessions } from './sessions';

export interface SessionDoor {
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  /** Where our own pages are served. */
  readonly origins: readonly string[];
}

export interface Identifying {
  readonly authentication: Authentication;
  /** Without them, cookies say nothing. */
  readonly browsers?: SessionDoor | undefined;
}

export interface Asked {
  readonly requestId: string;
  readonly required: readonly string[];
}

export const askingOf = (request: IncomingMessage, requestId: string): Asking => ({
  requestId,
  address: addressOf(request),
  // Whoever uses it picks what is for people's own pages; nothing of it is passed on with a request.
  cookie: request.headers.cookie,
});

/** One that was refused a moment after it was issued is not refused for its age. */
const tooYoungMilliseconds = 2_000;

const bySession = async (
  { sessions, origins }: SessionDoor,
  id: string,
  {
    authentication,
    request,
    requestId,
    required,
  }: Asked & { authentication: Authentication; request: IncomingMessage },
): Promise<Either<Problem, Identity>> => {
  const foreign = foreignPage(request, origins);
  if (foreign !== undefined) return left(foreign);
  const asking = askingOf(request, requestId);
  const session = await sessions.find(id, asking);
  if (isLeft(session)) return session;
  const { accessToken, tokenIssuedAt } = session.right;
  const identity = await authenticate(authentication, `Bearer ${accessToken}`, required);
  const young = authentication.now() - tokenIssuedAt < tooYoungMilliseconds;
  if (!isLeft(identity) || identity.left.problem.status !== 401 || young) return identity;
  // Revoked, or signed with a key that is gone: whether there is another is for the command API to say.
  const renewed = await sessions.renew(id, session.right, asking);
  if (isLeft(renewed)) return renewed;
  return authenticate(authentication, `Bearer ${renewed.right.accessToken}`, required);
};

export const identify = (
  { authentication, browsers }: Identifying,
  request: IncomingMessage,
  asked: Asked,
): Promise<Either<Problem, Identity>> => {
  const { authorization } = request.headers;
  const id = authorization === undefined ? browsers?.cookie.read(request) : undefined;
  if (browsers === undefined || id === undefined)
    return authenticateSender(authentication, credentialsOf(request, authentication), asked.required);
  return bySession(browsers, id, { ...asked, authentication, request });
};
