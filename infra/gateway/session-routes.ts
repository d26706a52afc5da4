/** `/console/session`: browsers sign in, ask who they are, and sign out. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { decode } from '../../domain/kernel/codec';
import { sendAnswer, sendProblem } from '../http/answer';
import { readBody } from '../http/body';
import { invalidInput, type Problem, problem } from '../http/problem';
import type { Answer, Identity } from '../http/route';
import { authenticate } from './authenticate';
import { askingOf, type Identifying, identify, type SessionDoor } from './session-caller';
import { sessionPath, WithClient, WithCode } from './session-codecs';
import type { Grants } from './session-grants';
import { foreignPage } from './session-guard';
import type { Grant, Session } from './session-seal';
import { longestSessionMilliseconds } from './sessions';

export interface SessionRoutes extends Identifying {
  readonly browsers: SessionDoor;
  readonly grants: Grants;
}

interface Asked {
  readonly request: IncomingMessage;
  readonly requestId: string;
}

interface Granted {
  readonly grant: Grant;
  /** Shown this once, where it was made just now. */
  readonly isNew: boolean;
}

const grantOf = async ({ grants }: SessionRoutes, { request, requestId }: Asked): Promise<Either<Problem, Granted>> => {
  const body = await readBody(request, 'json');
  if (isLeft(body)) return body;
  const code = decode(WithCode, body.right);
  if (isRight(code)) {
    const grant = await grants.first(code.right.code, askingOf(request, requestId));
    return isLeft(grant) ? grant : right({ grant: grant.right, isNew: true });
  }
  const client = decode(WithClient, body.right);
  if (isLeft(client)) return left(invalidInput(client.left));
  return right({ grant: { kind: 'client', ...client.right }, isNew: false });
};

const shown = (identity: Identity, { grant, beganAt }: Session) => {
  const { tenantId, principalId, principalType, scopes } = identity;
  const endsAt = new Date(beganAt + longestSessionMilliseconds).toISOString();
  return { tenantId, principalId, principalType, scopes, clientId: grant.clientId, endsAt };
};

const signIn = async (routes: SessionRoutes, asked: Asked): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  const granted = await grantOf(routes, asked);
  if (isLeft(granted)) return granted.left;
  const { grant, isNew } = granted.right;
  const begun = await sessions.begin(grant, askingOf(asked.request, asked.requestId));
  if (isLeft(begun)) return begun.left;
  const { id, session } = begun.right;
  const identity = await authenticate(routes.authentication, `Bearer ${session.accessToken}`);
  if (isLeft(identity)) return identity.left;
  const before = cookie.read(asked.request);
  if (before !== undefined) await sessions.end(before);
  const secret = isNew ? { clientSecret: grant.clientSecret } : {};
  const headers = { 'Set-Cookie': cookie.write(id, longestSessionMilliseconds / 1_000) };
  return { status: 201, body: { ...shown(identity.right, session), ...secret }, headers };
};

const who = async (routes: SessionRoutes, { request, requestId }: Asked): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  const id = cookie.read(request);
  // Every page asks when it opens; a browser would note a refusal as an error.
  if (id === undefined) return { status: 204 };
  const identity = await identify(routes, request, { requestId, required: [] });
  const session = isLeft(identity) ? identity : await sessions.find(id, askingOf(request, requestId));
  if (isLeft(identity)) return identity.left;
  return isLeft(session) ? session.left : { status: 200, body: shown(identity.right, session.right) };
};

const signOut = async ({ browsers: { sessions, cookie } }: SessionRoutes, { request }: Asked): Promise<Answer> => {
  const id = cookie.read(request);
  const ended = id === undefined ? right(undefined) : await sessions.end(id);
  return isLeft(ended) ? ended.left : { status: 204, headers: { 'Set-Cookie': cookie.clear() } };
};

const notAllowed: Problem = {
  ...problem('method-not-allowed', 'Use DELETE, GET, HEAD, POST.'),
  headers: { Allow: 'DELETE, GET, HEAD, POST' },
};

const answerOf = async (routes: SessionRoutes, asked: Asked): Promise<Answer> => {
  const foreign = foreignPage(asked.request, routes.browsers.origins);
  if (foreign !== undefined) return foreign;
  const { method = '' } = asked.request;
  switch (method) {
    case 'GET':
    case 'HEAD':
      return who(routes, asked);
    case 'POST':
      return signIn(routes, asked);
    case 'DELETE':
      return signOut(routes, asked);
    default:
      return notAllowed;
  }
};

const never = new AbortController().signal;

/** Answers whether the path was this one. */
export const serveSession = async (
  routes: SessionRoutes,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> => {
  if ((request.url ?? '').split('?')[0] !== sessionPath) return false;
  const requestId = String(response.getHeader('X-Request-Id'));
  const answer = await answerOf(routes, { request, requestId });
  if ('problem' in answer && !request.complete) response.setHeader('Connection', 'close');
  if ('problem' in answer) sendProblem(response, answer);
  else await sendAnswer(response, answer, { signal: never });
  return true;
};
