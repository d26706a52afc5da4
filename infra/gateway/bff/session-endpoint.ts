/** `/console/session`: sign-in, current session and sign-out of browsers. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode } from '../../../domain/kernel/codec';
import { beginConsolePath } from '../../server/http/identity/console-paths';
import { invalidInput, type Problem, problem } from '../../server/http/problem';
import { readBody } from '../../server/http/routing/request-body';
import { readQuery } from '../../server/http/routing/request-input';
import type { Answer, Identity } from '../../server/http/routing/route';
import { sendAnswer, sendProblem } from '../../server/http/routing/send-answer';
import { unknownFields } from '../../server/http/routing/unknown-fields';
import { authenticateStoredToken } from '../authentication/authenticate';
import { sendError } from '../error-response';
import { noteProblem } from '../refusals/refusal-notes';
import { ClientCredential, sessionPath } from './session-api';
import { identifyCaller, tokenRequestContextOf } from './session-authentication';
import { checkSameOrigin } from './session-cookie';
import type { BffSession, ClientGrant } from './session-encryption';
import { maxSessionMilliseconds } from './session-store';
import {
  beginFromAccountSession,
  endOwnAccountSession,
  type SessionEndpointDeps,
  type SessionRequest,
} from './single-sign-on';

const readGrant = async ({ request }: SessionRequest): Promise<Either<Problem, ClientGrant>> => {
  const body = await readBody(request, 'json');
  if (isLeft(body)) return body;
  const unknown = unknownFields(ClientCredential, body.right);
  if (unknown.length > 0) return left(invalidInput(unknown));
  const client = decode(ClientCredential, body.right);
  return isLeft(client) ? left(invalidInput(client.left)) : right({ kind: 'client', ...client.right });
};

const sessionBody = (identity: Identity, { grant, beganAt }: BffSession) => {
  const { tenantId, principalId, principalType, scopes } = identity;
  const endsAt = new Date(beganAt + maxSessionMilliseconds).toISOString();
  return { tenantId, principalId, principalType, scopes, clientId: grant.clientId, endsAt };
};

const signIn = async (routes: SessionEndpointDeps, sessionRequest: SessionRequest): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  const grant = await readGrant(sessionRequest);
  if (isLeft(grant)) return grant.left;
  const pending = await sessions.begin(
    grant.right,
    tokenRequestContextOf(sessionRequest.request, sessionRequest.requestId),
  );
  if (isLeft(pending)) return pending.left;
  const { id, session } = pending.right;
  const identity = await authenticateStoredToken(routes.authentication, `Bearer ${session.accessToken}`);
  if (isLeft(identity)) return identity.left;
  const before = cookie.read(sessionRequest.request);
  if (before !== undefined) await sessions.end(before);
  const headers = { 'Set-Cookie': cookie.write(id, maxSessionMilliseconds / 1_000) };
  return { status: 201, body: sessionBody(identity.right, session), headers };
};

const showSession = async (routes: SessionEndpointDeps, { request, requestId }: SessionRequest): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  const id = cookie.read(request);
  // Not 401: every page requests this when it opens, and browsers log refusals as errors.
  if (id === undefined) return { status: 204 };
  const identity = await identifyCaller(routes, request, { requestId, required: [] });
  const session = isLeft(identity) ? identity : await sessions.find(id, tokenRequestContextOf(request, requestId));
  if (isLeft(identity)) return identity.left;
  return isLeft(session) ? session.left : { status: 200, body: sessionBody(identity.right, session.right) };
};

const signOut = async (routes: SessionEndpointDeps, sessionRequest: SessionRequest): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  const cleared = await endOwnAccountSession(routes, sessionRequest);
  if (isLeft(cleared)) return cleared.left;
  const id = cookie.read(sessionRequest.request);
  const ended = id === undefined ? right(undefined) : await sessions.end(id);
  if (isLeft(ended)) return ended.left;
  return { status: 204, page: undefined, headers: {}, cookies: [cookie.clear(), ...cleared.right] };
};

const notAllowed: Problem = {
  ...problem('method-not-allowed', 'Use DELETE, GET, HEAD, POST.'),
  headers: { Allow: 'DELETE, GET, HEAD, POST' },
};

const dispatch = async (routes: SessionEndpointDeps, sessionRequest: SessionRequest): Promise<Answer> => {
  const foreign = checkSameOrigin(sessionRequest.request, routes.browsers);
  if (foreign !== undefined) return foreign;
  const { method = '', url = '' } = sessionRequest.request;
  const query = readQuery({ path: sessionPath }, url);
  if (isLeft(query)) return invalidInput(query.left);
  switch (method) {
    case 'GET':
    case 'HEAD':
      return showSession(routes, sessionRequest);
    case 'POST':
      return signIn(routes, sessionRequest);
    case 'DELETE':
      return signOut(routes, sessionRequest);
    default:
      return notAllowed;
  }
};

const neverAborted = new AbortController().signal;

/** Answers whether the path was this one. */
export const serveSession = async (
  routes: SessionEndpointDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  const [path] = (request.url ?? '').split('?');
  const requestId = String(response.getHeader('X-Request-Id'));
  if (path !== sessionPath && path !== beginConsolePath) return false;
  const sessionRequest = { request, requestId };
  const answer =
    path === beginConsolePath
      ? await beginFromAccountSession(routes, sessionRequest)
      : await dispatch(routes, sessionRequest);
  if (!('problem' in answer)) await sendAnswer(response, answer, { signal: neverAborted });
  // People navigate to `beginConsolePath` and get an error page; scripts get a problem.
  else if (path === beginConsolePath) sendError(response, answer);
  else {
    noteProblem(request, answer);
    if (!request.complete) response.setHeader('Connection', 'close');
    sendProblem(response, answer);
  }
  return true;
};
