/** API routes that end sessions: own ones, or any of the tenant with the scope. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { SessionId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import { integer, record } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Problem, problem, problemOf } from '../../../infra/server/http/problem';
import { positionHeader } from '../../../infra/server/http/routing/position-header';
import { type Answer, type Identity, type RouteRequest, route } from '../../../infra/server/http/routing/route';
import { callerOf } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import { accessLevelOf } from '../people/access-level';
import { sessionProblems } from '../problems';
import type { SignInDeps } from '../sign-in/dependencies';
import { endSession, endSessions } from './end-session';

const SessionPath = record('SessionPath', { sessionId: SessionId });
const PersonPath = record('PersonPath', { principalId: PrincipalId });
const WithReason = record('WithReason', { reason: Reason });
type Reasoned = { readonly reason: string };

const tenantOf = ({ tenantId }: Identity): Either<Problem, TenantId> =>
  TenantId.is(tenantId) ? right(tenantId) : left(problem('forbidden', 'The tenant of the token is unknown.'));

const mayEnd = (identity: Identity, owner: string): boolean => {
  const level = accessLevelOf(identity, 'sessions:write');
  return level === 'all' || (level === 'own' && identity.principalId === owner);
};

const scopeMissing = (): Problem =>
  problem('forbidden', 'The token lacks the scope sessions:write, or account:write for your own sessions.');
const sessionUnknown = (): Problem =>
  problemOf({ kind: 'rejection', code: 'session-unknown', detail: 'There is no such session.' }, sessionProblems);

/** Without an ended session there is no position to wait for. */
const withPosition = (position: bigint): Readonly<Record<string, string>> =>
  positionHeader(position === 0n ? null : position);

type EndSessionHttpRequest = RouteRequest<{ readonly sessionId: SessionId }, unknown, Reasoned>;

const endSessionById = async (
  deps: SignInDeps,
  { params, body, identity, requestId }: EndSessionHttpRequest,
): Promise<Answer> => {
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant.left;
  const { sessionId } = params;
  const found = await loadStream(deps, session, sessionStream(tenant.right, sessionId));
  if (isLeft(found)) return problemOf(found.left, {});
  const state = found.right;
  if (state.kind === 'none') return sessionUnknown();
  const principalId = state.kind === 'open' ? state.session.principalId : state.principalId;
  // The same response as for an unknown session: it does not reveal the owner.
  if (!mayEnd(identity, principalId)) return sessionUnknown();
  const ending = { tenantId: tenant.right, principalId, sessionId, reason: body.reason };
  const ended = await endSession(deps, { ...ending, actor: callerOf(identity), requestId });
  return isLeft(ended) ? ended.left : { status: 200, body: { sessionId }, headers: withPosition(ended.right) };
};

type EndSessionsHttpRequest = RouteRequest<{ readonly principalId: PrincipalId }, unknown, Reasoned>;

const endSessionsOfPerson = async (
  deps: SignInDeps,
  { params, body, identity, requestId }: EndSessionsHttpRequest,
): Promise<Answer> => {
  const tenant = tenantOf(identity);
  if (isLeft(tenant)) return tenant.left;
  if (!mayEnd(identity, params.principalId)) return scopeMissing();
  const ending = { tenantId: tenant.right, principalId: params.principalId, reason: body.reason };
  const ended = await endSessions(deps, { ...ending, actor: callerOf(identity), requestId });
  if (isLeft(ended)) return ended.left;
  const { count, position } = ended.right;
  return { status: 200, body: { ended: count }, headers: withPosition(position) };
};

const commonRoute = { method: 'post', access: { scopes: [] }, body: WithReason } as const;

export const endSessionRoute = route<SignInDeps>()({
  ...commonRoute,
  path: '/v1/sessions/:sessionId/end',
  operation: 'endSession',
  sensitive: true,
  summary: 'End a session: tokens that follow from it end with it',
  description: 'Own sessions need the scope `account:write`; those of any principal need `sessions:write`.',
  params: SessionPath,
  answers: {
    200: {
      description: 'The session has ended, by this or an earlier request.',
      body: record('EndedSession', { sessionId: SessionId }),
      headers: ['Position'],
    },
  },
  problems: sessionProblems,
  handle: endSessionById,
});

export const endSessionsRoute = route<SignInDeps>()({
  ...commonRoute,
  path: '/v1/principals/:principalId/sessions/end',
  operation: 'endSessions',
  sensitive: true,
  summary: "End all of a person's sessions",
  description: 'Own sessions need the scope `account:write`; those of any principal need `sessions:write`.',
  params: PersonPath,
  answers: {
    200: {
      description: 'The number of sessions that this request ended.',
      body: record('EndedSessions', { ended: integer(0) }),
      headers: ['Position'],
    },
  },
  handle: endSessionsOfPerson,
});
