/** Ends one session, or all sessions of a person; their tokens end with the event. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { Actor, HandleDeps } from '../../kernel/handle-request';
import { sessionProblems } from '../problems';
import { type BrowserDeps, sessionOwnerKey } from './current-session';
import { forgetDevices } from './device-cookies';
import { idleSessionsWithGrants } from './idle-sessions';

export interface EndDeps extends HandleDeps {
  readonly browsers: BrowserDeps;
}

export interface EndSessionRequest {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly sessionId: SessionId;
  readonly reason: string;
  /** The actor in the event's metadata. */
  readonly actor: Actor;
  readonly requestId: string;
}

/** Returns the log position of the end. Repeating it changes nothing. */
export const endSession = async (deps: EndDeps, ending: EndSessionRequest): Promise<Either<Problem, bigint>> => {
  const { tenantId, principalId, sessionId, reason, actor, requestId } = ending;
  const ended = await handle(deps, session, {
    stream: sessionStream(tenantId, sessionId),
    command: { type: 'EndSession', sessionId, reason },
    commandId: derivedId('end-session', tenantId, sessionId),
    fingerprint: ['end-session', sessionId],
    tenant: tenantId,
    actor,
    correlationId: requestId,
  });
  if (isLeft(ended) && ended.left.code !== 'session-unknown') return left(problemOf(ended.left, sessionProblems));
  // The event is decisive; this removes the session from the activity list.
  await deps.browsers.live.end(sessionOwnerKey(tenantId, principalId), sessionId);
  return right(isLeft(ended) ? 0n : ended.right.position);
};

interface EndSessionsResult {
  readonly count: number;
  readonly position: bigint;
}

/** Ends all sessions, or all but one, and the person's device cookies. */
export const endSessions = async (
  deps: EndDeps,
  ending: Omit<EndSessionRequest, 'sessionId'>,
  except?: SessionId,
): Promise<Either<Problem, EndSessionsResult>> => {
  const found = await deps.browsers.live.of(sessionOwnerKey(ending.tenantId, ending.principalId));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  const used = found.right.filter(SessionId.is);
  const forgotten = await forgetDevices(deps.browsers, ending);
  if (isLeft(forgotten)) return forgotten;
  const checked = except === undefined ? used : [...used, except];
  const lapsed = await idleSessionsWithGrants(deps, ending, { at: deps.clock.now(), known: checked });
  if (isLeft(lapsed)) return left(problemOf(lapsed.left, {}));
  const others = [...used, ...lapsed.right].filter((sessionId) => sessionId !== except);
  let position = 0n;
  for (const sessionId of others) {
    const ended = await endSession(deps, { ...ending, sessionId });
    if (isLeft(ended)) return ended;
    if (ended.right > position) position = ended.right;
  }
  return right({ count: others.length, position });
};
