/** Links a person to accounts at identity providers, and removes links. */
import { isLeft } from 'fp-ts/Either';
import { identifierClaim } from '../../../domain/identity/identifier-claim/decider';
import { claimStreams } from '../../../domain/identity/identifier-claim/events';
import { SecretHash } from '../../../domain/identity/ids';
import { problemOf } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { failurePage, page, problemPageOf, redirect } from '../pages/page';
import { loadAcceptedMethods, loadPolicy, updateAuthenticators } from '../people/load-person';
import { peopleProblems } from '../problems';
import { ensurePreSession } from '../sessions/pre-session';
import type { PageRequest, SignInDeps } from '../sign-in/dependencies';
import { showAccount } from './account-page';
import { requireFormSession, requireSession } from './require-session';

/** The form uses the pre-session, as the sign-in through a provider does. */
export const showLink = async (deps: SignInDeps, pageRequest: PageRequest, fields: Fields): Promise<PageAnswer> => {
  const session = await requireSession(deps, pageRequest, { path: '/account', fresh: true });
  if (isLeft(session)) return session.left;
  const { tenantId } = session.right;
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const provider = policy.right.providers.get(fields.provider ?? '');
  if (provider === undefined) return failurePage(404, 'Nothing here', 'There is no such provider.');
  const preSession = await ensurePreSession(deps, pageRequest.headers);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  return page({
    title: `Link ${provider.name}`,
    body: html`<p>You will be able to sign in with your account there.</p>
<form class="form" method="post" action="/sign-in/with">${csrfField(preSession.right)}
<input type="hidden" name="link" value="1"><input type="hidden" name="tenant" value="${tenantId}">
<input type="hidden" name="provider" value="${provider.providerId}">
<button class="button primary">Go to ${provider.name}</button></form><p><a href="/account">Back</a></p>`,
    cookies: preSession.right.cookies,
  });
};

export const removeLink = async (deps: SignInDeps, pageRequest: PageRequest, fields: Fields): Promise<PageAnswer> => {
  const session = await requireFormSession(deps, pageRequest, { fields, path: '/account', fresh: true });
  if (isLeft(session)) return session.left;
  const { tenantId, principalId } = session.right;
  const { link: id } = fields;
  if (!SecretHash.is(id)) return redirect('/account');
  const at = deps.clock.now();
  const acted = { requestId: pageRequest.requestId, actor: principalId };
  const accepted = await loadAcceptedMethods(deps, tenantId);
  if (isLeft(accepted)) return problemPageOf(accepted.left);
  const done = await updateAuthenticators(deps, session.right, {
    command: { type: 'UnlinkUpstream', principalId, subjectHash: id, at, accepted: accepted.right },
    context: acted,
  });
  if (isLeft(done))
    return done.left.problem.status < 500
      ? showAccount(deps, pageRequest, done.left.problem.detail)
      : problemPageOf(done.left);
  const released = await handle(deps, identifierClaim, {
    stream: claimStreams.upstream(tenantId, id),
    command: { type: 'ReleaseIdentifier', principalId, at },
    commandId: derivedId('release', tenantId, id, deps.random.uuid()),
    tenant: tenantId,
    actor: principalId,
    correlationId: pageRequest.requestId,
  });
  return isLeft(released) ? problemPageOf(problemOf(released.left, peopleProblems)) : redirect('/account');
};
