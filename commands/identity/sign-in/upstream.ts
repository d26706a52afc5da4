/** `/sign-in/with` and `/sign-in/back`: an enterprise's provider vouches for the person, whom only issuer and subject name. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Provider, SignInPolicy } from '../../../domain/identity/sign-in-policy/decider';
import { type Instant, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { PageAnswer } from '../../../infra/http/route';
import type { Provider as Asked } from '../../../infra/ports/providers';
import { checkCsrf, type Fields } from '../pages/form';
import { failurePage, onward, redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { addressOf } from '../sessions/establish';
import { knownVisit, type Visit } from '../sessions/visit';
import { needsTwoFactors, purposeOf, secondFactor, wantsProof } from './asked';
import type { Arrived, PeopleDeps } from './deps';
import { finish, maySignIn } from './finish';
import { identifierHash } from './identifiers';
import { takeGuess } from './limits';
import { type Known, kept, loadPolicy } from './person';
import { provenAt } from './proven-at';
import { beginSecondStep } from './second-step';
import { showPasskeyNeeded } from './show';
import { endUnderWay, findUnderWay, keepUnderWay } from './under-way';
import { identifierOf, personVouchedFor, type Vouching } from './vouched';
import { provesSeveralFactors } from './vouched-factors';
import { whoLinks } from './who-links';

/** What was under way when the person left, kept for the browser that left. */
const Left = record('Departed', {
  tenantId: TenantId,
  providerId: text('ProviderId', { maxLength: 128 }),
  issuer: text('Issuer', { maxLength: 2_048 }),
  continue: text('Path', { maxLength: 8_192 }),
  acr: nullable(t.literal('mfa')),
  fresh: t.boolean,
  /** Who was signed in and asked for a link to their account there. */
  linkTo: nullable(PrincipalId),
  state: text('State', { maxLength: 128 }),
  nonce: text('Nonce', { maxLength: 128 }),
  verifier: text('Verifier', { maxLength: 128 }),
});
type Departed = t.TypeOf<typeof Left>;

const nameOf = ({ id }: Visit, state: string): string => `departed:${id}:${state}`;
const callbackOf = (deps: PeopleDeps, { headers }: Arrived): string => {
  const asked = `${headers['x-forwarded-proto']}://${headers['x-forwarded-host']}`.toLowerCase();
  const origin = deps.browsers.origins.find((own) => own === asked) ?? deps.browsers.origins[0];
  return `${origin}/sign-in/back`;
};

const asked = ({ issuer, clientId, password }: Provider): Asked => ({
  issuer,
  clientId,
  password: kept(password) ?? null,
});

const failed = (kind: 'away' | 'refused', detail: string): PageAnswer =>
  failurePage(kind === 'away' ? 503 : 403, kind === 'away' ? 'Not right now' : 'Not signed in', detail);

export const leaveForProvider = async (deps: PeopleDeps, arrived: Arrived, fields: Fields): Promise<PageAnswer> => {
  const visit = await knownVisit(deps, arrived.headers);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const checked = checkCsrf(fields, { token: visit.right, headers: arrived.headers, origins: deps.browsers.origins });
  if (isLeft(checked)) return checked.left;
  const purpose = purposeOf(fields, deps.firstSignIn.tenantId);
  const policy = await loadPolicy(deps, purpose.tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const provider = policy.right.providers.get(fields.provider ?? '');
  if (provider === undefined || visit.right === null) return failed('refused', 'There is no such provider.');
  const fresh = wantsProof(purpose);
  const departure = await deps.people.providers.leave({
    provider: asked(provider),
    callback: callbackOf(deps, arrived),
    fresh,
    contexts: needsTwoFactors(policy.right, purpose.acr) ? provider.mfaContexts : [],
  });
  if (isLeft(departure)) return failed(departure.left.kind, departure.left.detail);
  const { url, ...secrets } = departure.right;
  const { providerId, issuer } = provider;
  const { tenantId, continue: path, acr = null } = purpose;
  const linkTo = fields.link === undefined ? right(null) : await whoLinks(deps, arrived, tenantId);
  if (isLeft(linkTo)) return linkTo.left;
  const whither = { tenantId, providerId, issuer, continue: path, acr, fresh, linkTo: linkTo.right };
  const departed: Departed = { ...secrets, ...whither };
  const put = await keepUnderWay(deps, nameOf(visit.right, secrets.state), departed);
  return isLeft(put) ? problemPageOf(put.left) : onward(url);
};

const notOurs = () =>
  left(failed('refused', 'Signing in was not begun in this browser, or took too long. Start again.'));

/** Taken once: an answer that comes twice was copied. */
const departedWith = async (
  deps: PeopleDeps,
  arrived: Arrived,
  state: string,
): Promise<Either<PageAnswer, Departed>> => {
  const visit = await knownVisit(deps, arrived.headers);
  if (isLeft(visit)) return left(problemPageOf(visit.left));
  if (visit.right === null || !/^[A-Za-z0-9_-]{1,128}$/.test(state)) return notOurs();
  const name = nameOf(visit.right, state);
  const departed = await findUnderWay(deps, name, Left);
  if (isLeft(departed)) return left(problemPageOf(departed.left));
  if (departed.right === undefined) return notOurs();
  await endUnderWay(deps, name);
  const first = await deps.people.once.first(name, 10 * 60_000);
  if (isLeft(first)) return left(failed('away', 'Signing in is not possible at the moment.'));
  return first.right ? right(departed.right) : notOurs();
};

interface Trusted {
  readonly policy: SignInPolicy;
  readonly provider: Provider;
}

const trustedBy = async (deps: PeopleDeps, departed: Departed): Promise<Either<PageAnswer, Trusted>> => {
  const policy = await loadPolicy(deps, departed.tenantId);
  if (isLeft(policy)) return left(problemPageOf(policy.left));
  const provider = policy.right.providers.get(departed.providerId);
  // Changed or removed meanwhile: what comes back is another's answer.
  return provider?.issuer === departed.issuer ? right({ policy: policy.right, provider }) : notOurs();
};

interface Arrival {
  readonly departed: Departed;
  readonly trusted: Trusted;
  readonly vouching: Vouching;
  readonly known: Known & { readonly securityEpoch: number };
  readonly provenAt: Instant;
}

/** The provider proved one factor where two are needed: the other is ours, and is set up first by who has none. */
const askSecondFactor = async (deps: PeopleDeps, arrived: Arrived, arrival: Arrival): Promise<PageAnswer> => {
  const { departed, trusted, vouching, known } = arrival;
  const { person } = known;
  const has = { totp: kept(person.totp) !== undefined, passkeys: person.passkeys.size > 0 };
  const { tenantId, continue: path, providerId, issuer } = departed;
  const prompt = departed.fresh ? 'login' : undefined;
  const purpose = { tenantId, continue: path, prompt, maxAge: undefined, acr: 'mfa', hint: '' } as const;
  const needed = secondFactor(trusted.policy, has, 'mfa');
  if (needed === 'passkey' || needed === 'none') return showPasskeyNeeded(deps, arrived, [purpose, 200]);
  const hash = await identifierHash(deps, identifierOf(vouching));
  if (isLeft(hash)) return problemPageOf(hash.left);
  const upstream = { providerId, issuer, subjectHash: hash.right, provenAt: arrival.provenAt };
  return beginSecondStep(deps, purpose, [known, needed, upstream]);
};

const arrive = async (deps: PeopleDeps, arrived: Arrived, [departed, query]: readonly [Departed, string]) => {
  const trusted = await trustedBy(deps, departed);
  if (isLeft(trusted)) return trusted.left;
  const { policy, provider } = trusted.right;
  const { state, nonce, verifier, acr, tenantId, linkTo } = departed;
  const callback = new URL(`${callbackOf(deps, arrived)}?${query}`);
  const returning = { state, nonce, verifier, callback, provider: asked(provider), fresh: acr === 'mfa' };
  const vouched = await deps.people.providers.back(returning);
  if (isLeft(vouched)) return failed(vouched.left.kind, vouched.left.detail);
  const still = linkTo === null ? right(null) : await whoLinks(deps, arrived, tenantId);
  if (isLeft(still)) return still.left;
  if (still.right !== linkTo) return failed('refused', 'Somebody else is signed in meanwhile. Start again.');
  const vouching = { tenantId, provider, vouched: vouched.right, linkTo };
  const known = await personVouchedFor(deps, arrived, vouching);
  if (isLeft(known)) return known.left;
  if (linkTo !== null) return redirect('/account');
  if (!maySignIn(known.right)) return failed('refused', 'You may not sign in here. Ask an administrator.');
  const at = provenAt(vouched.right, departed.fresh, deps.clock.now());
  if (at === undefined) return failed('refused', 'You were to sign in anew, and the provider did not ask you.');
  const isSeveral = provesSeveralFactors(vouched.right, provider);
  if (!isSeveral && needsTwoFactors(policy, acr ?? undefined)) {
    const arrival = { departed, trusted: trusted.right, vouching, known: known.right, provenAt: at };
    return askSecondFactor(deps, arrived, arrival);
  }
  const methods = isSeveral ? ['fed', 'mfa'] : ['fed'];
  const proof = { methods, upstreamIssuer: vouched.right.issuer, continue: departed.continue, provenAt: at };
  return finish(deps, arrived, [known.right, proof]);
};

/** What fails is counted for the place alone: a whole office may come back from its provider by one address. */
export const comeBack = async (deps: PeopleDeps, arrived: Arrived, [fields, query]: readonly [Fields, string]) => {
  const departed = await departedWith(deps, arrived, fields.state ?? '');
  if (isLeft(departed)) return departed.left;
  const guess = { kind: 'return', name: `back ${departed.right.state}`, address: addressOf(arrived) } as const;
  const guessed = await takeGuess(deps.people.attempts, guess);
  if (isLeft(guessed)) return guessed.left;
  const answer = await arrive(deps, arrived, [departed.right, query]);
  if (answer.status < 400) await guessed.right.giveBack();
  return answer;
};
