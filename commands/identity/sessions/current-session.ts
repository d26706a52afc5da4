/** The session of a request: from the cookie, checked against the log and the idle timeout. */

import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { SessionId } from '../../../domain/identity/ids';
import { type OpenSessionState, session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { SessionActivity } from '../../../infra/ports/identity/session-activity';
import type { Kms } from '../../../infra/ports/kms';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { AccountCookies } from '../../../infra/server/http/identity/account-cookies';
import type { OriginMismatch } from '../../../infra/server/http/identity/origin-mismatch';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import { loadStream } from '../../kernel/load-stream';
import { loadPrincipal, type PrincipalSource } from '../principals/load-principal';
import { isSessionSecret, parseSessionCookie } from './session-cookie';

export interface BrowserDeps {
  readonly cookies: AccountCookies;
  /** Origins of the pages. */
  readonly origins: readonly string[];
  readonly originMismatch?: OriginMismatch;
  readonly live: SessionActivity;
}

export interface SessionSource extends PrincipalSource {
  readonly clock: Clock;
  readonly kms: Kms;
  readonly browsers: BrowserDeps;
}

export interface CurrentSession {
  readonly sessionId: SessionId;
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly authenticatedAt: Instant;
  readonly methods: readonly string[];
  readonly expiresAt: Instant;
  /** CSRF token of the session's forms. */
  readonly csrf: string;
}

/** Idle timeout; tenants can only shorten it. */
export const maxIdleMilliseconds = 2 * 3_600_000;

export const sessionOwnerKey = (tenantId: TenantId, principalId: PrincipalId): string => `${tenantId}.${principalId}`;

const isSameEpoch = async (deps: SessionSource, tenantId: TenantId, { session: opened }: OpenSessionState) => {
  const { principalId, securityEpoch } = opened;
  const principal = await loadPrincipal(deps, { tenantId, principalId });
  if (isLeft(principal)) return left(problemOf(principal.left, {}));
  const { right: found } = principal;
  return right(found.kind === 'registered' && found.status === 'ACTIVE' && found.securityEpoch <= securityEpoch);
};

/** Null: no session, or an ended one. Left: the log is unavailable. */
export const currentSession = async (
  deps: SessionSource,
  headers: { readonly [name: string]: string | undefined },
): Promise<Either<Problem, CurrentSession | null>> => {
  const { cookies, live } = deps.browsers;
  const value = cookies.read(headers.cookie, 'account');
  const cookie = value === undefined ? undefined : parseSessionCookie(value);
  if (cookie === undefined) return right(null);
  const { tenantId, sessionId, secret } = cookie;
  const loaded = await loadStream(deps, session, sessionStream(tenantId, sessionId));
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const state = loaded.right;
  if (state.kind !== 'open' || !isSessionSecret(state.session.secretHash, secret)) return right(null);
  const { principalId, authenticatedAt, methods, expiresAt } = state.session;
  if (expiresAt <= deps.clock.now()) return right(null);
  const theirs = await isSameEpoch(deps, tenantId, state);
  if (isLeft(theirs)) return theirs;
  if (!theirs.right) return right(null);
  const used = await live.use(sessionOwnerKey(tenantId, principalId), sessionId, maxIdleMilliseconds);
  if (isLeft(used)) return left(problemOf(used.left, {}));
  if (!used.right) return right(null);
  const csrf = await deps.kms.derive(JSON.stringify(['page-session', tenantId, sessionId, state.session.secretHash]));
  if (isLeft(csrf)) return left(problemOf(csrf.left, {}));
  return right({ sessionId, tenantId, principalId, authenticatedAt, methods, expiresAt, csrf: csrf.right });
};

const freshMilliseconds = 5 * 60_000;

/** Recent authentication, required to change authenticators. */
export const isFresh = ({ authenticatedAt }: CurrentSession, now: Instant): boolean =>
  Date.parse(now) - Date.parse(authenticatedAt) <= freshMilliseconds;
