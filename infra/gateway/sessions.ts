/** Sessions of browsers: tokens stay here, are renewed while the session is used, and end with what they were granted for. */
import type { KeyObject } from 'node:crypto';
import { type Either, isLeft, isRight, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../domain/kernel/rejection';
import { type Problem, problemOf } from '../http/problem';
import type { Kept } from '../ports/kept';
import type { Asking } from './session-asking';
import type { Grants } from './session-grants';
import { sessionProblems } from './session-problems';
import { type Grant, nameOf, newSessionId, type Session, seal, unseal } from './session-seal';

export interface SessionsOptions {
  readonly kept: Kept;
  readonly grants: Grants;
  /** Of the gateways: what is kept cannot be opened without it. */
  readonly secret: KeyObject;
  readonly now: () => number;
}

export interface Began {
  readonly id: string;
  readonly session: Session;
}

export interface Sessions {
  readonly begin: (grant: Grant, asking: Asking) => Promise<Either<Problem, Began>>;
  /** With a token that is still good for a while. */
  readonly find: (id: string, asking: Asking) => Promise<Either<Problem, Session>>;
  /** For when its token is not taken any longer, whatever its time. */
  readonly renew: (id: string, session: Session, asking: Asking) => Promise<Either<Problem, Session>>;
  readonly end: (id: string) => Promise<Either<Problem, void>>;
}

export const longestSessionMilliseconds = 12 * 3_600_000;
const longestIdleMilliseconds = 2 * 3_600_000;
const renewedBeforeMilliseconds = 30_000;

const ended = (detail = 'Sign in again; what is on the page stays.'): Problem => {
  const rejection: Rejection<'session-ended'> = { kind: 'rejection', code: 'session-ended', detail };
  return problemOf(rejection, sessionProblems);
};

const remaining = ({ beganAt }: Session, now: number): number =>
  Math.min(longestIdleMilliseconds, beganAt + longestSessionMilliseconds - now);

const withToken = async (
  { grants, now }: SessionsOptions,
  { grant, beganAt }: Pick<Session, 'grant' | 'beganAt'>,
  asking: Asking,
): Promise<Either<Problem, Session>> => {
  const tokenIssuedAt = now();
  const token = await grants.token(grant, asking);
  if (isLeft(token)) return token;
  const { accessToken, expiresInSeconds } = token.right;
  const tokenExpiresAt = tokenIssuedAt + expiresInSeconds * 1_000;
  return right({ grant, accessToken, tokenIssuedAt, tokenExpiresAt, beganAt });
};

const load = async ({ kept, secret, now }: SessionsOptions, id: string): Promise<Either<Problem, Session>> => {
  const found = await kept.find(nameOf(id));
  if (isLeft(found)) return left(problemOf(found.left, {}));
  const session = found.right === undefined ? left('unreadable') : unseal(found.right, id, secret);
  return isLeft(session) || remaining(session.right, now()) <= 0 ? left(ended()) : session;
};

const renewOnce = async (options: SessionsOptions, id: string, session: Session, asking: Asking) => {
  const { kept, secret, now } = options;
  const renewed = await withToken(options, session, asking);
  if (isLeft(renewed)) {
    if (renewed.left.problem.status !== 401) return renewed;
    await kept.remove(nameOf(id));
    return left(ended(renewed.left.problem.detail));
  }
  const value = seal(renewed.right, id, secret);
  // Signed out meanwhile, a session must not come back.
  const replaced = await kept.replace(nameOf(id), value, remaining(renewed.right, now()));
  if (isLeft(replaced)) return left(problemOf(replaced.left, {}));
  return replaced.right ? renewed : left(ended());
};

export const openSessions = (options: SessionsOptions): Sessions => {
  const { kept, secret, now } = options;
  const renewing = new Map<string, Promise<Either<Problem, Session>>>();
  /** A page asks for many things at once: one token is enough for them. */
  const renew: Sessions['renew'] = (id, session, asking) => {
    const known = renewing.get(id);
    if (known !== undefined) return known;
    const work = renewOnce(options, id, session, asking).finally(() => renewing.delete(id));
    renewing.set(id, work);
    return work;
  };
  return {
    begin: async (grant, asking) => {
      const session = await withToken(options, { grant, beganAt: now() }, asking);
      if (isLeft(session)) return session;
      const id = newSessionId();
      const put = await kept.put(nameOf(id), seal(session.right, id, secret), longestIdleMilliseconds);
      return isLeft(put) ? left(problemOf(put.left, {})) : right({ id, session: session.right });
    },
    find: async (id, asking) => {
      const session = await load(options, id);
      if (isLeft(session) || session.right.tokenExpiresAt - now() > renewedBeforeMilliseconds) return session;
      const renewed = await renew(id, session.right, asking);
      // Whoever issues tokens may be away for a moment.
      const stillGood = isLeft(renewed) && renewed.left.problem.status === 503 && session.right.tokenExpiresAt > now();
      return isRight(renewed) || !stillGood ? renewed : session;
    },
    renew,
    end: async (id) => {
      const removed = await kept.remove(nameOf(id));
      return isLeft(removed) ? left(problemOf(removed.left, {})) : right(undefined);
    },
  };
};
