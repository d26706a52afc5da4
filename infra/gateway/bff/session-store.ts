/** Browser sessions: the gateway stores their tokens and renews them while the session is in use; sessions end with their grant. */
import type { KeyObject } from 'node:crypto';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
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
/** How long a store may be away until pages stop. */
const maxRememberedMilliseconds = 15 * 60_000;

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

const maxRemembered = 10_000;

/**
 * Remembers what the store answered last, sealed as it was, so that pages go on while the store is away. A session found here has a token that is
 * valid by itself; one that was ended elsewhere meanwhile is refused with its token.
 */
const withMemory = (store: ExpiringStore, now: () => number): ExpiringStore => {
  const remembered = new LRUCache<string, { readonly value: string; readonly until: number }>({ max: maxRemembered });
  const untilOf = (): number => now() + maxRememberedMilliseconds;
  return {
    ...store,
    find: async (name) => {
      const found = await store.find(name);
      if (isLeft(found)) {
        const last = remembered.get(name);
        return last === undefined || last.until <= now() ? found : right(last.value);
      }
      if (found.right === undefined) remembered.delete(name);
      else remembered.set(name, { value: found.right, until: untilOf() });
      return found;
    },
    replace: async (name, value, milliseconds) => {
      const replaced = await store.replace(name, value, milliseconds);
      const last = remembered.get(name);
      // The session goes on with its new token here; the store has the one before, which is renewed where it is used.
      const goesOn = isLeft(replaced) ? last !== undefined && last.until > now() : replaced.right;
      if (goesOn) remembered.set(name, { value, until: isLeft(replaced) ? (last?.until ?? 0) : untilOf() });
      else if (isRight(replaced)) remembered.delete(name);
      return goesOn ? right(true) : replaced;
    },
    remove: (name) => {
      remembered.delete(name);
      return store.remove(name);
    },
  };
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

export const createBffSessionStore = (given: BffSessionStoreOptions): BffSessionStore => {
  const { secret, now } = given;
  const sessionStore = withMemory(given.sessionStore, now);
  const options = { ...given, sessionStore };
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
