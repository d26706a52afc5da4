/** /sign-in/recover: a compromised person who has just proved themselves by a passkey or two factors recovers from the incident, and is signed in. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { IncidentId } from '../../../domain/identity/ids';
import { Instant, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { checkCsrf, csrfField, type Fields } from '../pages/form';
import { html } from '../pages/html';
import { page, problemPageOf, redirect } from '../pages/page';
import { type LoadedPerson, loadPerson } from '../people/load-person';
import { loadPrincipal } from '../principals/load-principal';
import { administratorRecoveryProblems } from '../problems';
import { recoverPrincipal } from '../recovery/recover-principal';
import { currentSession, isFresh } from '../sessions/current-session';
import { createPreSession, findPreSession, type PreSession } from '../sessions/pre-session';
import { type AuthenticationResult, completeLogin, maySignIn } from './complete-login';
import type { PageRequest, SignInDeps } from './dependencies';
import { deleteFlowState, loadFlowState, saveFlowState } from './flow-state';
import { maxContinueLength } from './login-request';
import { refusedSignIn } from './refused-sign-in';

const PendingRecovery = record('PendingRecovery', {
  tenantId: TenantId,
  principalId: PrincipalId,
  /** One of the incidents that made the person compromised; recovery is from all. */
  incidentId: IncidentId,
  methods: t.array(t.string),
  upstreamIssuer: nullable(text('Issuer', { maxLength: 2_048 })),
  provenAt: Instant,
  continue: text('Path', { maxLength: maxContinueLength }),
});
type PendingRecovery = t.TypeOf<typeof PendingRecovery>;

const flowNameOf = ({ id }: PreSession): string => `recovery:${id}`;

const openIncidentOf = async (
  deps: SignInDeps,
  loaded: LoadedPerson,
): Promise<Either<Problem, IncidentId | undefined>> => {
  const found = await loadPrincipal(deps, loaded);
  if (isLeft(found)) return left(problemOf(found.left, {}));
  const state = found.right;
  const isTheirs = state.kind === 'registered' && state.principalType === 'HUMAN' && state.status === 'COMPROMISED';
  return right(isTheirs ? state.incidents.at(-1) : undefined);
};

/** Whether the person is compromised by an incident, so that two factors lead to recovery. */
export const isRecoverable = async (deps: SignInDeps, loaded: LoadedPerson): Promise<boolean> => {
  const found = await openIncidentOf(deps, loaded);
  return !isLeft(found) && found.right !== undefined;
};

/** Undefined: the person is not compromised, or did not prove enough; sign-in is refused as ever. */
export const beginRecovery = async (
  deps: SignInDeps,
  loaded: LoadedPerson,
  proof: AuthenticationResult,
): Promise<PageAnswer | undefined> => {
  if (!proof.methods.includes('mfa')) return undefined;
  const { tenantId, principalId } = loaded;
  const found = await openIncidentOf(deps, loaded);
  if (isLeft(found)) return problemPageOf(found.left);
  const incidentId = found.right;
  if (incidentId === undefined) return undefined;
  const preSession = await createPreSession(deps);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  const pending: PendingRecovery = {
    ...{ tenantId, principalId, incidentId, continue: proof.continue, methods: [...proof.methods] },
    upstreamIssuer: proof.upstreamIssuer ?? null,
    provenAt: proof.provenAt ?? deps.clock.now(),
  };
  const put = await saveFlowState(deps, flowNameOf(preSession.right), pending);
  return isLeft(put) ? problemPageOf(put.left) : redirect('/sign-in/recover', preSession.right.cookies);
};

const loadPending = async (deps: SignInDeps, { headers }: PageRequest) => {
  const preSession = await findPreSession(deps, headers);
  if (isLeft(preSession)) return { answer: problemPageOf(preSession.left) };
  if (preSession.right === null) return { answer: redirect('/sign-in') };
  const pending = await loadFlowState(deps, flowNameOf(preSession.right), PendingRecovery);
  if (isLeft(pending)) return { answer: problemPageOf(pending.left) };
  return pending.right === undefined
    ? { answer: redirect('/sign-in') }
    : { preSession: preSession.right, pending: pending.right };
};

/** With both factors, and again where that was not enough. */
const freshSignIn = ({ incident = '', tenant }: Fields): PageAnswer => {
  const back = `/sign-in/recover?${new URLSearchParams({ incident, ...(tenant === undefined ? {} : { tenant }) })}`;
  const how = { prompt: 'login', acr: 'mfa', continue: back };
  return redirect(`/sign-in?${new URLSearchParams({ ...how, ...(tenant === undefined ? {} : { tenant }) })}`);
};

/** For a person who is active, and is named by an incident: the session has the fresh sign-in. */
const beginNamedRecovery = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { query, incidentId }: { readonly query: Fields; readonly incidentId: IncidentId },
): Promise<PageAnswer> => {
  const found = await currentSession(deps, pageRequest.headers);
  if (isLeft(found)) return problemPageOf(found.left);
  const current = found.right;
  if (current === null || !current.methods.includes('mfa') || !isFresh(current, deps.clock.now()))
    return freshSignIn(query);
  const { tenantId, principalId, methods, authenticatedAt: provenAt } = current;
  const preSession = await createPreSession(deps);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  const pending: PendingRecovery = {
    ...{ tenantId, principalId, incidentId, provenAt, methods: [...methods] },
    ...{ upstreamIssuer: null, continue: '/account' },
  };
  const put = await saveFlowState(deps, flowNameOf(preSession.right), pending);
  return isLeft(put) ? problemPageOf(put.left) : redirect('/sign-in/recover', preSession.right.cookies);
};

export const showRecovery = async (deps: SignInDeps, pageRequest: PageRequest, query: Fields): Promise<PageAnswer> => {
  const { incident: incidentId } = query;
  if (IncidentId.is(incidentId)) return beginNamedRecovery(deps, pageRequest, { query, incidentId });
  const { answer, preSession } = await loadPending(deps, pageRequest);
  if (answer !== undefined) return answer;
  return page({
    title: 'Recover your access',
    status: 200,
    body: html`<p>Your access was suspected to be in wrong hands, so what was signed in as you has ended. You have just proved that you are you.</p>
<p class="hint">When you continue, you are signed in here with a new session. Everything earlier stays ended: applications ask you again, and credentials that you need are made again.</p>
<p class="hint">If you did not report this and know of no reason, talk to your administrator.</p>
<form class="form" method="post" action="/sign-in/recover">${csrfField(preSession)}
<button class="button primary">Recover my access</button></form>
<p class="hint"><a href="/sign-in">Not now</a></p>`,
  });
};

const refusedPage = (pending: PendingRecovery, detail: string): PageAnswer => ({
  ...refusedSignIn(detail, pending),
  ...page({
    title: 'Recovery needs a fresh sign-in',
    status: 403,
    body: html`<p>${detail}</p>
<p>Sign in again with your passkey or your second factor, and continue within five minutes.</p>
<p><a class="button primary" href="/sign-in">Sign in again</a></p>`,
  }),
});

export const submitRecovery = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  fields: Fields,
): Promise<PageAnswer> => {
  const { answer, preSession, pending } = await loadPending(deps, pageRequest);
  if (answer !== undefined) return answer;
  const checked = checkCsrf(fields, { token: preSession, headers: pageRequest.headers, browsers: deps.browsers });
  if (isLeft(checked)) return checked.left;
  const { tenantId, principalId, incidentId, provenAt, methods, upstreamIssuer } = pending;
  await deleteFlowState(deps, flowNameOf(preSession));
  const recovered = await recoverPrincipal(deps, {
    ...{ tenantId, principalId, incidentId, actor: principalId, requestId: pageRequest.requestId },
    ...{ method: 'sign-in', authenticatedAt: provenAt },
  });
  if (isLeft(recovered))
    return recovered.left.kind === 'fault'
      ? problemPageOf(problemOf<string>(recovered.left, administratorRecoveryProblems))
      : refusedPage(pending, recovered.left.detail);
  const loaded = await loadPerson(deps, { tenantId, principalId });
  if (isLeft(loaded)) return problemPageOf(loaded.left);
  if (!maySignIn(loaded.right)) return refusedPage(pending, 'The person is not active.');
  return completeLogin(deps, pageRequest, {
    loaded: loaded.right,
    proof: {
      ...{ methods, provenAt, continue: pending.continue },
      ...(upstreamIssuer === null ? {} : { upstreamIssuer }),
    },
  });
};
