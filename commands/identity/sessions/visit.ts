/** A browser before anybody signed in: a secret of its own, so that forms can be told from those of other sites. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Problem, problemOf } from '../../../infra/http/problem';
import type { Kms } from '../../../infra/ports/kms';
import type { Random } from '../../../infra/ports/random';
import type { Browsers } from './browsers';
import { secretHashOf } from './session-secret';

export interface VisitDeps {
  readonly kms: Kms;
  readonly random: Random;
  readonly browsers: Browsers;
}

export interface Visit {
  /** Of the secret in the cookie: what is kept for this browser stands under it. */
  readonly id: string;
  readonly csrf: string;
  /** To be set where the visit is new. */
  readonly cookies: readonly string[];
}

const shape = /^[A-Za-z0-9_-]{43}$/;
const secretBytes = 32;

const visitOf = async (
  { kms }: VisitDeps,
  secret: string,
  cookies: readonly string[],
): Promise<Either<Problem, Visit>> => {
  const id = secretHashOf(secret);
  const csrf = await kms.derive(JSON.stringify(['page-visit', id]));
  return isLeft(csrf) ? left(problemOf(csrf.left, {})) : right({ id, csrf: csrf.right, cookies });
};

export const newVisit = (deps: VisitDeps): Promise<Either<Problem, Visit>> => {
  const secret = deps.random.token(secretBytes);
  return visitOf(deps, secret, [deps.browsers.cookies.write('visit', secret)]);
};

/** Null: the browser has shown no cookie, so no form of ours can have come from it. */
export const knownVisit = async (
  deps: VisitDeps,
  headers: { readonly [name: string]: string | undefined },
): Promise<Either<Problem, Visit | null>> => {
  const secret = deps.browsers.cookies.read(headers.cookie, 'visit');
  return secret === undefined || !shape.test(secret) ? right(null) : visitOf(deps, secret, []);
};

export const anyVisit = async (
  deps: VisitDeps,
  headers: { readonly [name: string]: string | undefined },
): Promise<Either<Problem, Visit>> => {
  const known = await knownVisit(deps, headers);
  if (isLeft(known)) return known;
  return known.right === null ? newVisit(deps) : right(known.right);
};
