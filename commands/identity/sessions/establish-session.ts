/** Opens a session after authentication, or steps the current one up with a new secret. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { sessionProblems } from '../problems';
import type { PageRequest, SignInDeps } from '../sign-in/dependencies';
import { type CurrentSession, currentSession, maxIdleMilliseconds, sessionOwnerKey } from './current-session';
import { rememberDevice } from './device-cookies';
import { endSession } from './end-session';
import { formatSessionCookie, sessionSecretHash } from './session-cookie';
import { userAgentLabel } from './user-agent-label';

export interface AuthenticatedPerson {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly securityEpoch: number;
  readonly methods: readonly string[];
  readonly upstreamIssuer: string | null;
  /** Time of the proof, which may be earlier at an identity provider. */
  readonly provenAt: Instant;
  /** Maximum session lifetime of the tenant. */
  readonly sessionSeconds: number;
}

const secretBytes = 32;

/** Client address set by the gateway. */
export const clientAddressOf = ({ headers }: PageRequest): string =>
  (headers['x-forwarded-for'] ?? '').slice(0, 45) || 'unknown';

const commandRequestOf = (
  person: AuthenticatedPerson,
  sessionId: SessionId,
  { secretHash, requestId }: { readonly secretHash: string; readonly requestId: string },
) => ({
  stream: sessionStream(person.tenantId, sessionId),
  commandId: derivedId('establish', sessionId, secretHash),
  fingerprint: ['establish', sessionId, secretHash],
  tenant: person.tenantId,
  actor: person.principalId,
  correlationId: requestId,
});

const openingCommand = (deps: SignInDeps, person: AuthenticatedPerson, pageRequest: PageRequest) => {
  const { principalId, securityEpoch, methods, upstreamIssuer, provenAt, sessionSeconds } = person;
  const at = deps.clock.now();
  const known = deps.recordsAddresses;
  return {
    principalId,
    securityEpoch,
    methods: [...methods],
    upstreamIssuer,
    authenticatedAt: provenAt,
    expiresAt: plusSeconds(at, sessionSeconds),
    device: known ? userAgentLabel(pageRequest.headers['user-agent']) : null,
    sourceIp: known ? clientAddressOf(pageRequest) : null,
  };
};

const recordSession = (
  deps: SignInDeps,
  person: AuthenticatedPerson,
  {
    pageRequest,
    secret,
    before,
  }: { readonly pageRequest: PageRequest; readonly secret: string; readonly before: CurrentSession | null },
) => {
  const secretHash = sessionSecretHash(secret);
  const sessionId = before?.sessionId ?? (secretHash as SessionId);
  const request = commandRequestOf(person, sessionId, { secretHash, requestId: pageRequest.requestId });
  const { principalId, methods, provenAt } = person;
  if (before !== null) {
    // Keeps the newer authentication time.
    const at = provenAt < before.authenticatedAt ? before.authenticatedAt : provenAt;
    const command = { type: 'StepUpSession', sessionId, principalId, secretHash, methods, at } as const;
    return handle(deps, session, { ...request, command });
  }
  const opened = { sessionId, secretHash, ...openingCommand(deps, person, pageRequest) };
  return handle(deps, session, { ...request, fresh: true, command: { type: 'OpenSession', session: opened } });
};

/** Ends a session of another person in this browser. */
const previousSession = async (
  deps: SignInDeps,
  person: AuthenticatedPerson,
  pageRequest: PageRequest,
): Promise<Either<Problem, CurrentSession | null>> => {
  const current = await currentSession(deps, pageRequest.headers);
  if (isLeft(current) || current.right === null) return current;
  const { tenantId, principalId, sessionId } = current.right;
  if (tenantId === person.tenantId && principalId === person.principalId) return current;
  const reason = 'Someone else signed in in this browser.';
  const ending = { tenantId, principalId, sessionId, reason, actor: principalId, requestId: pageRequest.requestId };
  const ended = await endSession(deps, ending);
  return isLeft(ended) ? ended : right(null);
};

/** Returns the cookies to set. Authentication always changes the secret, which prevents session fixation. */
export const establishSession = async (
  deps: SignInDeps,
  person: AuthenticatedPerson,
  pageRequest: PageRequest,
): Promise<Either<Problem, readonly string[]>> => {
  const known = await previousSession(deps, person, pageRequest);
  if (isLeft(known)) return known;
  const secret = deps.random.token(secretBytes);
  const done = await recordSession(deps, person, { pageRequest, secret, before: known.right });
  if (isLeft(done)) return left(problemOf(done.left, sessionProblems));
  const { tenantId, principalId, sessionSeconds } = person;
  const sessionId = known.right?.sessionId ?? (sessionSecretHash(secret) as SessionId);
  const { live, cookies } = deps.browsers;
  const started = await live.begin(sessionOwnerKey(tenantId, principalId), sessionId, maxIdleMilliseconds);
  if (isLeft(started)) return left(problemOf(started.left, {}));
  const device = await rememberDevice(deps, pageRequest.headers, person);
  if (isLeft(device)) return device;
  const value = formatSessionCookie({ tenantId, sessionId, secret });
  return right([cookies.write('account', value, sessionSeconds), cookies.clear('visit'), device.right]);
};
