/** /sign-in/with and /sign-in/back: redirects to an identity provider and handles its callback. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Provider, SignInPolicy } from '../../../../domain/identity/sign-in-policy/decider';
import { type Instant, nullable, record, text } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { Provider as UpstreamProvider } from '../../../../infra/ports/identity/identity-providers';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { checkCsrf, type Fields } from '../../pages/form';
import { failurePage, onward, problemPageOf, redirect } from '../../pages/page';
import { identifierHash } from '../../people/identifier-claims';
import { type LoadedPerson, loadPolicy, unlessForgotten } from '../../people/load-person';
import { clientAddressOf } from '../../sessions/establish-session';
import { findPreSession, type PreSession } from '../../sessions/pre-session';
import { requireSignInAttempt } from '../attempt-limits';
import { completeLogin, maySignIn } from '../complete-login';
import type { PageRequest, SignInDeps } from '../dependencies';
import { deleteFlowState, loadFlowState, saveFlowState } from '../flow-state';
import { renderPasskeyRequired } from '../login-page';
import {
  maxContinueLength,
  readLoginRequest,
  requiredSecondFactor,
  requiresReauthentication,
  requiresTwoFactors,
} from '../login-request';
import { beginSecondFactor } from '../second-factor/second-factor-step';
import {
  type FederatedSignIn,
  federatedIdentifierOf,
  findOrProvisionPerson,
  requireLinkingPerson,
} from './federated-person';
import { authenticatedAtOf, provesSeveralFactors } from './provider-authentication';

/** Flow state of the redirect, bound to the browser. */
const DepartureState = record('Departed', {
  tenantId: TenantId,
  providerId: text('ProviderId', { maxLength: 128 }),
  issuer: text('Issuer', { maxLength: 2_048 }),
  continue: text('Path', { maxLength: maxContinueLength }),
  acr: nullable(t.literal('mfa')),
  fresh: t.boolean,
  /** Signed-in person who requested an account link. */
  linkTo: nullable(PrincipalId),
  state: text('State', { maxLength: 128 }),
  nonce: text('Nonce', { maxLength: 128 }),
  verifier: text('Verifier', { maxLength: 128 }),
});
type Departed = t.TypeOf<typeof DepartureState>;

const flowNameOf = ({ id }: PreSession, state: string): string => `departed:${id}:${state}`;
const callbackOf = (deps: SignInDeps, { headers }: PageRequest): string => {
  const requestedOrigin = `${headers['x-forwarded-proto']}://${headers['x-forwarded-host']}`.toLowerCase();
  const origin = deps.browsers.origins.find((own) => own === requestedOrigin) ?? deps.browsers.origins[0];
  return `${origin}/sign-in/back`;
};

const providerRequestOf = ({ issuer, clientId, password }: Provider): UpstreamProvider => ({
  issuer,
  clientId,
  password: unlessForgotten(password) ?? null,
});

const providerFailurePage = (kind: 'away' | 'refused', detail: string): PageAnswer =>
  failurePage(kind === 'away' ? 503 : 403, kind === 'away' ? 'Not right now' : 'Not signed in', detail);

export const redirectToProvider = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  fields: Fields,
): Promise<PageAnswer> => {
  const preSession = await findPreSession(deps, pageRequest.headers);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  const checked = checkCsrf(fields, {
    token: preSession.right,
    headers: pageRequest.headers,
    browsers: deps.browsers,
  });
  if (isLeft(checked)) return checked.left;
  const loginRequest = readLoginRequest(fields, deps.firstSignIn.tenantId);
  const policy = await loadPolicy(deps, loginRequest.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const provider = policy.right.providers.get(fields.provider ?? '');
  if (provider === undefined || preSession.right === null)
    return providerFailurePage('refused', 'There is no such provider.');
  const fresh = requiresReauthentication(loginRequest);
  const departure = await deps.people.providers.beginSignIn({
    provider: providerRequestOf(provider),
    callback: callbackOf(deps, pageRequest),
    fresh,
    contexts: requiresTwoFactors(policy.right, loginRequest.acr) ? provider.mfaContexts : [],
  });
  if (isLeft(departure)) return providerFailurePage(departure.left.kind, departure.left.detail);
  const { url, ...secrets } = departure.right;
  const { providerId, issuer } = provider;
  const { tenantId, continue: path, acr = null } = loginRequest;
  const linkTo = fields.link === undefined ? right(null) : await requireLinkingPerson(deps, pageRequest, tenantId);
  if (isLeft(linkTo)) return linkTo.left;
  const whither = { tenantId, providerId, issuer, continue: path, acr, fresh, linkTo: linkTo.right };
  const departed: Departed = { ...secrets, ...whither };
  const put = await saveFlowState(deps, flowNameOf(preSession.right, secrets.state), departed);
  return isLeft(put) ? problemPageOf(put.left) : onward(url);
};

const unknownFlow = () =>
  left(providerFailurePage('refused', 'The sign-in did not start in this browser, or took too long. Start again.'));

/** Consumed once: a second callback was copied. */
const loadDeparture = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  state: string,
): Promise<Either<PageAnswer, Departed>> => {
  const preSession = await findPreSession(deps, pageRequest.headers);
  if (isLeft(preSession)) return left(problemPageOf(preSession.left));
  if (preSession.right === null || !/^[A-Za-z0-9_-]{1,128}$/.test(state)) return unknownFlow();
  const name = flowNameOf(preSession.right, state);
  const departed = await loadFlowState(deps, name, DepartureState);
  if (isLeft(departed)) return left(problemPageOf(departed.left));
  if (departed.right === undefined) return unknownFlow();
  await deleteFlowState(deps, name);
  const first = await deps.people.once.first(name, 10 * 60_000);
  if (isLeft(first)) return left(providerFailurePage('away', 'Signing in is not possible at the moment.'));
  return first.right ? right(departed.right) : unknownFlow();
};

interface TrustedProvider {
  readonly policy: SignInPolicy;
  readonly provider: Provider;
}

const findTrustedProvider = async (
  deps: SignInDeps,
  departed: Departed,
): Promise<Either<PageAnswer, TrustedProvider>> => {
  const policy = await loadPolicy(deps, departed.tenantId);
  if (isLeft(policy)) return left(problemPageOf(policy.left));
  const provider = policy.right.providers.get(departed.providerId);
  // The provider was changed or removed since.
  return provider?.issuer === departed.issuer ? right({ policy: policy.right, provider }) : unknownFlow();
};

interface ProviderCallback {
  readonly departed: Departed;
  readonly trusted: TrustedProvider;
  readonly vouching: FederatedSignIn;
  readonly known: LoadedPerson & { readonly securityEpoch: number };
  readonly provenAt: Instant;
}

/** The provider proved one factor where two are required: the second is the person's own, enrolled first if missing. */
const requireSecondFactor = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  arrival: ProviderCallback,
): Promise<PageAnswer> => {
  const { departed, trusted, vouching, known: loaded } = arrival;
  const { person } = loaded;
  const has = { totp: unlessForgotten(person.totp) !== undefined, passkeys: person.passkeys.size > 0 };
  const { tenantId, continue: path, providerId, issuer } = departed;
  const prompt = departed.fresh ? 'login' : undefined;
  const loginRequest = { tenantId, continue: path, prompt, maxAge: undefined, acr: 'mfa', hint: '' } as const;
  const needed = requiredSecondFactor(trusted.policy, has, 'mfa');
  if (needed === 'passkey' || needed === 'none')
    return renderPasskeyRequired(deps, pageRequest, { loginRequest, status: 200 });
  const hash = await identifierHash(deps, federatedIdentifierOf(vouching));
  if (isLeft(hash)) return problemPageOf(hash.left);
  const upstream = { providerId, issuer, subjectHash: hash.right, provenAt: arrival.provenAt };
  return beginSecondFactor(deps, loginRequest, { loaded, needed, upstream });
};

const completeCallback = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { departed, query }: { readonly departed: Departed; readonly query: string },
) => {
  const trusted = await findTrustedProvider(deps, departed);
  if (isLeft(trusted)) return trusted.left;
  const { policy, provider } = trusted.right;
  const { state, nonce, verifier, acr, tenantId, linkTo } = departed;
  const callback = new URL(`${callbackOf(deps, pageRequest)}?${query}`);
  const returning = { state, nonce, verifier, callback, provider: providerRequestOf(provider), fresh: acr === 'mfa' };
  const vouched = await deps.people.providers.completeSignIn(returning);
  if (isLeft(vouched)) return providerFailurePage(vouched.left.kind, vouched.left.detail);
  const still = linkTo === null ? right(null) : await requireLinkingPerson(deps, pageRequest, tenantId);
  if (isLeft(still)) return still.left;
  if (still.right !== linkTo) return providerFailurePage('refused', 'Another person has signed in since. Start again.');
  const vouching = { tenantId, provider, vouched: vouched.right, linkTo };
  const loaded = await findOrProvisionPerson(deps, pageRequest, vouching);
  if (isLeft(loaded)) return loaded.left;
  if (linkTo !== null) return redirect('/account');
  if (!maySignIn(loaded.right))
    return providerFailurePage('refused', 'You may not sign in here. Ask an administrator.');
  const at = authenticatedAtOf(vouched.right, departed.fresh, deps.clock.now());
  if (at === undefined)
    return providerFailurePage('refused', 'You must sign in again, and the provider did not ask you to.');
  const isSeveral = provesSeveralFactors(vouched.right, provider);
  if (!isSeveral && requiresTwoFactors(policy, acr ?? undefined)) {
    const arrival = { departed, trusted: trusted.right, vouching, known: loaded.right, provenAt: at };
    return requireSecondFactor(deps, pageRequest, arrival);
  }
  const methods = isSeveral ? ['fed', 'mfa'] : ['fed'];
  const proof = { methods, upstreamIssuer: vouched.right.issuer, continue: departed.continue, provenAt: at };
  return completeLogin(deps, pageRequest, { loaded: loaded.right, proof });
};

/** Counts failures per network only: a whole office may return from its provider through one address. */
export const handleProviderCallback = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { fields, query }: { readonly fields: Fields; readonly query: string },
) => {
  const departed = await loadDeparture(deps, pageRequest, fields.state ?? '');
  if (isLeft(departed)) return departed.left;
  const guess = {
    kind: 'return',
    name: `back ${departed.right.state}`,
    address: clientAddressOf(pageRequest),
  } as const;
  const guessed = await requireSignInAttempt(deps.people.attempts, guess);
  if (isLeft(guessed)) return guessed.left;
  const answer = await completeCallback(deps, pageRequest, { departed: departed.right, query });
  if (answer.status < 400) await guessed.right.refund();
  return answer;
};
