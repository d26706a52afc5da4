/** Checks of account pages and forms: a session, a valid CSRF token and, where needed, recent authentication. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { checkCsrf, type Fields } from '../pages/form';
import { problemPageOf, redirect } from '../pages/page';
import { type CurrentSession, currentSession, isFresh } from '../sessions/current-session';
import type { PageRequest, SignInDeps } from '../sign-in/dependencies';

const redirectToLogin = (path: string, hint = ''): PageAnswer =>
  redirect(
    `/sign-in?${new URLSearchParams({ continue: path, max_age: '300', ...(hint === '' ? {} : { login_hint: hint }) })}`,
  );

/** For pages without a form. */
export const requireSession = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { path, fresh }: { readonly path: string; readonly fresh: boolean },
): Promise<Either<PageAnswer, CurrentSession>> => {
  const current = await currentSession(deps, pageRequest.headers);
  if (isLeft(current)) return left(problemPageOf(current.left));
  if (current.right === null) return left(redirect(`/sign-in?${new URLSearchParams({ continue: path })}`));
  return fresh && !isFresh(current.right, deps.clock.now()) ? left(redirectToLogin(path)) : right(current.right);
};

/** For forms: also checks the CSRF token of the session. */
export const requireFormSession = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { fields, path, fresh }: { readonly fields: Fields; readonly path: string; readonly fresh: boolean },
): Promise<Either<PageAnswer, CurrentSession>> => {
  const current = await currentSession(deps, pageRequest.headers);
  if (isLeft(current)) return left(problemPageOf(current.left));
  const { right: session } = current;
  const checked = checkCsrf(fields, { token: session, headers: pageRequest.headers, browsers: deps.browsers });
  if (isLeft(checked)) return checked;
  if (session === null) return left(redirect('/sign-in'));
  return fresh && !isFresh(session, deps.clock.now()) ? left(redirectToLogin(path)) : right(session);
};
