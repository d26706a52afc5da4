/** Somebody proved who they are: the browser's session begins, or its secret is another one from here on. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/streams';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type Problem, problemOf } from '../../../infra/http/problem';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import type { Arrived, PeopleDeps } from '../sign-in/deps';
import { deviceOf } from '../sign-in/device';
import { type CurrentSession, currentSession, longestIdleMilliseconds, personOf } from './current';
import { rememberDevice } from './devices';
import { endSession } from './end';
import { sessionProblems } from './problems';
import { secretHashOf, writeCookieValue } from './session-secret';

export interface Proven {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly securityEpoch: number;
  readonly methods: readonly string[];
  readonly upstreamIssuer: string | null;
  /** Somebody else may have seen it, a while ago. */
  readonly provenAt: Instant;
  /** How long the tenant lets sessions last. */
  readonly sessionSeconds: number;
}

const secretBytes = 32;

/** As the gateway says it. */
export const addressOf = ({ headers }: Arrived): string => (headers['x-forwarded-for'] ?? '').slice(0, 45) || 'unknown';

const requestOf = (proven: Proven, sessionId: SessionId, [secretHash, requestId]: readonly [string, string]) => ({
  stream: sessionStream(proven.tenantId, sessionId),
  commandId: derivedId('establish', sessionId, secretHash),
  fingerprint: ['establish', sessionId, secretHash],
  tenant: proven.tenantId,
  actor: proven.principalId,
  correlationId: requestId,
});

const opening = (deps: PeopleDeps, proven: Proven, arrived: Arrived) => {
  const { principalId, securityEpoch, methods, upstreamIssuer, provenAt, sessionSeconds } = proven;
  const at = deps.clock.now();
  const known = deps.recordsAddresses;
  return {
    ...{ principalId, securityEpoch, methods: [...methods], upstreamIssuer, authenticatedAt: provenAt },
    expiresAt: plusSeconds(at, sessionSeconds),
    device: known ? deviceOf(arrived.headers['user-agent']) : null,
    sourceIp: known ? addressOf(arrived) : null,
  };
};

const recorded = (
  deps: PeopleDeps,
  proven: Proven,
  [arrived, secret, before]: readonly [Arrived, string, CurrentSession | null],
) => {
  const secretHash = secretHashOf(secret);
  const sessionId = before?.sessionId ?? (secretHash as SessionId);
  const request = requestOf(proven, sessionId, [secretHash, arrived.requestId]);
  const { principalId, methods, provenAt } = proven;
  if (before !== null) {
    // An old proof takes nothing from a newer one.
    const at = provenAt < before.authenticatedAt ? before.authenticatedAt : provenAt;
    const command = { type: 'StepUpSession', sessionId, principalId, secretHash, methods, at } as const;
    return handle(deps, session, { ...request, command });
  }
  const opened = { sessionId, secretHash, ...opening(deps, proven, arrived) };
  return handle(deps, session, { ...request, fresh: true, command: { type: 'OpenSession', session: opened } });
};

/** Somebody else who was signed in here is not any longer. */
const before = async (
  deps: PeopleDeps,
  proven: Proven,
  arrived: Arrived,
): Promise<Either<Problem, CurrentSession | null>> => {
  const current = await currentSession(deps, arrived.headers);
  if (isLeft(current) || current.right === null) return current;
  const { tenantId, principalId, sessionId } = current.right;
  if (tenantId === proven.tenantId && principalId === proven.principalId) return current;
  const reason = 'Somebody else signed in in this browser.';
  const ending = { tenantId, principalId, sessionId, reason, actor: principalId, requestId: arrived.requestId };
  const ended = await endSession(deps, ending);
  return isLeft(ended) ? ended : right(null);
};

/** The cookies to set. A secret is never kept over a proof, so that nobody can have planted it. */
export const establish = async (
  deps: PeopleDeps,
  proven: Proven,
  arrived: Arrived,
): Promise<Either<Problem, readonly string[]>> => {
  const known = await before(deps, proven, arrived);
  if (isLeft(known)) return known;
  const secret = deps.random.token(secretBytes);
  const done = await recorded(deps, proven, [arrived, secret, known.right]);
  if (isLeft(done)) return left(problemOf(done.left, sessionProblems));
  const { tenantId, principalId, sessionSeconds } = proven;
  const sessionId = known.right?.sessionId ?? (secretHashOf(secret) as SessionId);
  const { live, cookies } = deps.browsers;
  const begun = await live.begin(personOf(tenantId, principalId), sessionId, longestIdleMilliseconds);
  if (isLeft(begun)) return left(problemOf(begun.left, {}));
  const device = await rememberDevice(deps, arrived.headers, proven);
  if (isLeft(device)) return device;
  const value = writeCookieValue({ tenantId, sessionId, secret });
  return right([cookies.write('account', value, sessionSeconds), cookies.clear('visit'), device.right]);
};
