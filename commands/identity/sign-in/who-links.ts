/** Who may link an account elsewhere to their own. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { PageAnswer } from '../../../infra/http/route';
import { redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { currentSession, isFresh } from '../sessions/current';
import type { Arrived, PeopleDeps } from './deps';

/** Whoever is signed in, and was just now: a link is another way in. */
export const whoLinks = async (
  deps: PeopleDeps,
  arrived: Arrived,
  tenantId: TenantId,
): Promise<Either<PageAnswer, PrincipalId>> => {
  const current = await currentSession(deps, arrived.headers);
  if (isLeft(current)) return left(problemPageOf(current.left));
  const { right: session } = current;
  const may = session !== null && session.tenantId === tenantId && isFresh(session, deps.clock.now());
  return may ? right(session.principalId) : left(redirect('/sign-in?continue=/account&max_age=300'));
};
