/** `/console/session`: browsers sign in, ask who they are, and sign out. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { decode } from '../../domain/kernel/codec';
import { sendAnswer, sendProblem } from '../http/answer';
import { readBody } from '../http/body';
import { invalidInput, type Problem, problem } from '../http/problem';
import type { Answer, Identity } from '../http/route';
import { unknownFields } from '../http/unknown-fields';
import { authenticate } from './authenticate';
import { answerRefused } from './refused';
import { askingOf, identify } from './session-caller';
import { sessionPath, WithClient, WithCode } from './session-codecs';
import { foreignPage } from './session-guard';
import { type Asked, beginPath, beginPersons, endPersonsOwn, type SessionRoutes } from './session-person';
import type { Grant, Session } from './session-seal';
import { longestSessionMilliseconds } from './sessions';

interface Granted {
  readonly grant: Grant;
  /** Shown this once, where it was made just now. */
  readonly isNew: boolean;
}

const grantOf = async ({ grants }: SessionRoutes, { request, requestId }: Asked): Promise<Either<Problem, Granted>> => {
  const body = await readBody(request, 'json');
  if (isLeft(body)) return body;
  const code = decode(WithCode, body.right);
  const unknown = unknownFields(isRight(code) ? WithCode : WithClient, body.right);
  if (unknown.length > 0) return left(invalidInput(unknown));
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
  const secret = isNew && grant.kind === 'client' ? { clientSecret: grant.clientSecret } : {};
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

const signOut = async (routes: SessionRoutes, asked: Asked): Promise<Answer> => {
  const { sessions, cookie } = routes.browsers;
  const cleared = await endPersonsOwn(routes, asked);
  if (isLeft(cleared)) return cleared.left;
  const id = cookie.read(asked.request);
  const ended = id === undefined ? right(undefined) : await sessions.end(id);
  if (isLeft(ended)) return ended.left;
  return { status: 204, page: undefined, headers: {}, cookies: [cookie.clear(), ...cleared.right] };
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
  const [path] = (request.url ?? '').split('?');
  const requestId = String(response.getHeader('X-Request-Id'));
  if (path !== sessionPath && path !== beginPath) return false;
  const asked = { request, requestId };
  const answer = path === beginPath ? await beginPersons(routes, asked) : await answerOf(routes, asked);
  if (!('problem' in answer)) await sendAnswer(response, answer, { signal: never });
  // Browsers are led there, scripts ask at the other.
  else if (path === beginPath) answerRefused(response, answer);
  else {
    if (!request.complete) response.setHeader('Connection', 'close');
    sendProblem(response, answer);
  }
  return true;
};
