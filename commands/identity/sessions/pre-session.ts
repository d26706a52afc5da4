/** State of a browser before sign-in: a secret in a cookie, for CSRF tokens and flow state. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Kms } from '../../../infra/ports/kms';
import type { Random } from '../../../infra/ports/runtime/random';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { BrowserDeps } from './current-session';
import { sessionSecretHash } from './session-cookie';

export interface PreSessionDeps {
  readonly kms: Kms;
  readonly random: Random;
  readonly browsers: BrowserDeps;
}

export interface PreSession {
  /** Hash of the secret; the key of the browser's flow state. */
  readonly id: string;
  readonly csrf: string;
  /** Cookies of a new pre-session. */
  readonly cookies: readonly string[];
}

const shape = /^[A-Za-z0-9_-]{43}$/;
const secretBytes = 32;

const preSessionOf = async (
  { kms }: PreSessionDeps,
  secret: string,
  cookies: readonly string[],
): Promise<Either<Problem, PreSession>> => {
  const id = sessionSecretHash(secret);
  const csrf = await kms.derive(JSON.stringify(['page-visit', id]));
  return isLeft(csrf) ? left(problemOf(csrf.left, {})) : right({ id, csrf: csrf.right, cookies });
};

export const createPreSession = (deps: PreSessionDeps): Promise<Either<Problem, PreSession>> => {
  const secret = deps.random.token(secretBytes);
  return preSessionOf(deps, secret, [deps.browsers.cookies.write('visit', secret)]);
};

/** Null: no cookie, so the browser has received no form. */
export const findPreSession = async (
  deps: PreSessionDeps,
  headers: { readonly [name: string]: string | undefined },
): Promise<Either<Problem, PreSession | null>> => {
  const secret = deps.browsers.cookies.read(headers.cookie, 'visit');
  return secret === undefined || !shape.test(secret) ? right(null) : preSessionOf(deps, secret, []);
};

export const ensurePreSession = async (
  deps: PreSessionDeps,
  headers: { readonly [name: string]: string | undefined },
): Promise<Either<Problem, PreSession>> => {
  const existing = await findPreSession(deps, headers);
  if (isLeft(existing)) return existing;
  return existing.right === null ? createPreSession(deps) : right(existing.right);
};
