/** Browser sessions: the gateway stores their tokens and renews them while the session is in use; sessions end with their grant. */
import type { KeyObject } from 'node:crypto';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../../domain/kernel/rejection';
import type { ExpiringStore } from '../../ports/identity/expiring-store';
import { type Problem, problemOf } from '../../server/http/problem';
import type { TokenRequestContext } from './command-api-client';
import { sessionProblems } from './session-api';
import {
  type BffSession,
  decryptSession,
  encryptSession,
  newSessionId,
  type SessionGrant,
  storageKeyOf,
} from './session-encryption';
import type { TokenClient } from './token-client';

export interface BffSessionStoreOptions {
  readonly sessionStore: ExpiringStore;
  readonly grants: TokenClient;
  /** Secret of the gateways; encrypts stored sessions. */
  readonly secret: KeyObject;
  readonly now: () => number;
}

export interface NewBffSession {
  readonly id: string;
  readonly session: BffSession;
}

export interface BffSessionStore {
  readonly begin: (grant: SessionGrant, asking: TokenRequestContext) => Promise<Either<Problem, NewBffSession>>;
  /** The session's token is valid for a while. */
  readonly find: (id: string, asking: TokenRequestContext) => Promise<Either<Problem, BffSession>>;
  /** Replaces a token that was refused before it expired. */
  readonly renew: (
    id: string,
    session: BffSession,
    asking: TokenRequestContext,
  ) => Promise<Either<Problem, BffSession>>;
  readonly end: (id: string) => Promise<Either<Problem, void>>;
}

export const maxSessionMilliseconds = 12 * 3_600_000;
const maxIdleMilliseconds = 2 * 3_600_000;
const renewalLeadMilliseconds = 30_000;

const sessionEnded = (detail = 'Sign in again; the page keeps what you entered.'): Problem => {
  const rejection: Rejection<'session-ended'> = { kind: 'rejection', code: 'session-ended', detail };
  return problemOf(rejection, sessionProblems);
};

const remaining = ({ beganAt }: BffSession, now: number): number =>
  Math.min(maxIdleMilliseconds, beganAt + maxSessionMilliseconds - now);

const sessionWithToken = async (
  { grants, now }: BffSessionStoreOptions,
  { grant, beganAt }: Pick<BffSession, 'grant' | 'beganAt'>,
  asking: TokenRequestContext,
): Promise<Either<Problem, BffSession>> => {
  const tokenIssuedAt = now();
  const token = await grants.token(grant, asking);
  if (isLeft(token)) return token;
  const { accessToken, expiresInSeconds } = token.right;
  const tokenExpiresAt = tokenIssuedAt + expiresInSeconds * 1_000;
  return right({ grant, accessToken, tokenIssuedAt, tokenExpiresAt, beganAt });
};

const load = async (
  { sessionStore, secret, now }: BffSessionStoreOptions,
  id: string,
): Promise<Either<Problem, BffSession>> => {
  const found = await sessionStore.find(storageKeyOf(id));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  const session = found.right === undefined ? left('unreadable') : decryptSession(found.right, id, secret);
  return isLeft(session) || remaining(session.right, now()) <= 0 ? left(sessionEnded()) : session;
};

const renewOnce = async (
  options: BffSessionStoreOptions,
  id: string,
  session: BffSession,
  asking: TokenRequestContext,
) => {
  const { sessionStore, secret, now } = options;
  const renewed = await sessionWithToken(options, session, asking);
  if (isLeft(renewed)) {
    if (renewed.left.problem.status !== 401) return renewed;
    await sessionStore.remove(storageKeyOf(id));
    return left(sessionEnded(renewed.left.problem.detail));
  }
  const value = encryptSession(renewed.right, id, secret);
  // `replace` fails after a concurrent sign-out, which must not be undone.
  const replaced = await sessionStore.replace(storageKeyOf(id), value, remaining(renewed.right, now()));
  if (isLeft(replaced)) return left(problemOf(replaced.left, {}));
  return replaced.right ? renewed : left(sessionEnded());
};

export const createBffSessionStore = (options: BffSessionStoreOptions): BffSessionStore => {
  const { sessionStore, secret, now } = options;
  const renewing = new Map<string, Promise<Either<Problem, BffSession>>>();
  /** Concurrent requests of a page share one renewal. */
  const renew: BffSessionStore['renew'] = (id, session, asking) => {
    const known = renewing.get(id);
    if (known !== undefined) return known;
    const work = renewOnce(options, id, session, asking).finally(() => renewing.delete(id));
    renewing.set(id, work);
    return work;
  };
  return {
    begin: async (grant, asking) => {
      const session = await sessionWithToken(options, { grant, beganAt: now() }, asking);
      if (isLeft(session)) return session;
      const id = newSessionId();
      const put = await sessionStore.put(
        storageKeyOf(id),
        encryptSession(session.right, id, secret),
        maxIdleMilliseconds,
      );
      return isLeft(put) ? left(problemOf(put.left, {})) : right({ id, session: session.right });
    },
    find: async (id, asking) => {
      const session = await load(options, id);
      if (isLeft(session) || session.right.tokenExpiresAt - now() > renewalLeadMilliseconds) return session;
      const renewed = await renew(id, session.right, asking);
      // The command API may be unavailable for a moment; the current token is still valid.
      const stillGood = isLeft(renewed) && renewed.left.problem.status === 503 && session.right.tokenExpiresAt > now();
      return isRight(renewed) || !stillGood ? renewed : session;
    },
    renew,
    end: async (id) => {
      const removed = await sessionStore.remove(storageKeyOf(id));
      return isLeft(removed) ? left(problemOf(removed.left, {})) : right(undefined);
    },
  };
};
