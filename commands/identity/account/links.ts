/** Links between a person here and their accounts at enterprises' providers. */
import { isLeft } from 'fp-ts/Either';
import { SecretHash } from '../../../domain/identity/ids';
import { claim } from '../../../domain/identity/login/decider';
import { claimStreams } from '../../../domain/identity/people-streams';
import { problemOf } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import type { Fields } from '../pages/form';
import { csrfField } from '../pages/form';
import { html } from '../pages/html';
import { failurePage, page, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { anyVisit } from '../sessions/visit';
import type { Arrived, PeopleDeps } from '../sign-in/deps';
import { changePerson, loadPolicy } from '../sign-in/person';
import { peopleProblems } from '../sign-in/problems';
import { acting, signedIn } from './acting';
import { showAccount } from './page';

/** The form that leaves for the provider belongs to the visit, as it does when somebody signs in. */
export const showLink = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const session = await signedIn(deps, arrived, ['/account', true]);
  if (isLeft(session)) return session.left;
  const { tenantId } = session.right;
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const provider = policy.right.providers.get(fields.provider ?? '');
  if (provider === undefined) return failurePage(404, 'Nothing here', 'There is no such provider.');
  const visit = await anyVisit(deps, arrived.headers);
  if (isLeft(visit)) return problemPageOf(visit.left);
  return page({
    title: `Link ${provider.name}`,
    body: html`<p>You will be able to sign in with your account there.</p>
<form class="form" method="post" action="/sign-in/with">${csrfField(visit.right)}
<input type="hidden" name="link" value="1"><input type="hidden" name="tenant" value="${tenantId}">
<input type="hidden" name="provider" value="${provider.providerId}">
<button class="button primary">Go to ${provider.name}</button></form><p><a href="/account">Back</a></p>`,
    cookies: visit.right.cookies,
  });
};

export const removeLink = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const session = await acting(deps, arrived, [fields, '/account', true]);
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const { link: id } = fields;
  if (!SecretHash.is(id)) return redirect('/account');
  const at = deps.clock.now();
  const acted = { requestId: arrived.requestId, actor: principalId };
  const done = await changePerson(deps, session.right, [
    { type: 'UnlinkUpstream', principalId, subjectHash: id, at },
    acted,
  ]);
  if (isLeft(done))
    return done.left.problem.status < 500
      ? showAccount(deps, arrived, done.left.problem.detail)
      : problemPageOf(done.left);
  const released = await handle(deps, claim, {
    stream: claimStreams.upstream(tenantId, id),
    command: { type: 'ReleaseIdentifier', principalId, at },
    commandId: derivedId('release', tenantId, id, deps.random.uuid()),
    tenant: tenantId,
    actor: principalId,
    correlationId: arrived.requestId,
  });
  return isLeft(released) ? problemPageOf(problemOf(released.left, peopleProblems)) : redirect('/account');
};
