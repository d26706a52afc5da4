/** Between a first factor (a password, or an enterprise's provider) and a session: the code of an authenticator app, or setting one up where the tenant asks for it. */
import { createHash, randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, nullable, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Problem, problemOf } from '../../../infra/http/problem';
import type { PageAnswer } from '../../../infra/http/route';
import type { Taken } from '../../../infra/ports/attempts';
import type { Once } from '../../../infra/ports/once';
import { redirect } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { personOf } from '../sessions/current';
import { findDevice } from '../sessions/devices';
import { addressOf } from '../sessions/establish';
import { knownVisit, newVisit, type Visit } from '../sessions/visit';
import type { Purpose } from './asked';
import type { Arrived, PeopleDeps } from './deps';
import type { Proof } from './finish';
import { takeGuess } from './limits';
import { type Known, kept, loadPerson, loadPolicy, type PersonId } from './person';
import { rememberedMilliseconds, stepOf } from './totp';
import { findUnderWay, keepUnderWay } from './under-way';

const seedBytes = 20;

/** A provider that proved one factor. Its link and its place among the tenant's providers have to be there still when the other is proved. */
const UpstreamProof = record('UpstreamProof', {
  providerId: text('ProviderId', { maxLength: 128 }),
  issuer: text('Issuer', { maxLength: 2_048 }),
  subjectHash: text('SubjectHash', { maxLength: 64 }),
  provenAt: Instant,
});
export type UpstreamProof = t.TypeOf<typeof UpstreamProof>;

/** What the first factor proved already. */
export const SecondStep = record('SecondStep', {
  tenantId: TenantId,
  principalId: PrincipalId,
  methods: t.array(t.string),
  /** Of the password as it is recorded: one that was changed meanwhile proved nothing. Null where a provider was the first factor. */
  password: nullable(text('PasswordProven', { maxLength: 43 })),
  upstream: nullable(UpstreamProof),
  continue: text('Path', { maxLength: 8_192 }),
  /** Of an app that is being set up; null where the person has one. */
  seed: nullable(text('Seed', { maxLength: 64 })),
});
export type SecondStep = t.TypeOf<typeof SecondStep>;

const nameOf = ({ id }: Visit): string => `second-step:${id}`;

const passwordOf = ({ person }: Known): string =>
  createHash('sha256')
    .update(kept(person.password) ?? '')
    .digest('base64url');

const isLinkedStill = async (
  deps: PeopleDeps,
  { tenantId, person }: Known,
  { providerId, issuer, subjectHash }: UpstreamProof,
): Promise<Either<Problem, boolean>> => {
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return policy;
  const isProvider = policy.right.providers.get(providerId)?.issuer === issuer;
  return right(isProvider && person.upstreams.some((link) => link.subjectHash === subjectHash));
};

/** Whether the first factor would be taken now as it was then. */
export const isStillProven = async (
  deps: PeopleDeps,
  { password, upstream }: SecondStep,
  known: Known,
): Promise<Either<Problem, boolean>> =>
  upstream === null ? right(password === passwordOf(known)) : isLinkedStill(deps, known, upstream);

/** What the session will say, once the second factor is proved too. */
export const proofOf = ({ methods, upstream, continue: path }: SecondStep): Proof => ({
  methods: [...methods, 'otp', 'mfa'],
  continue: path,
  ...(upstream === null ? {} : { upstreamIssuer: upstream.issuer, provenAt: upstream.provenAt }),
});

/** Under a new visit: one that was planted knows nothing of what was proved. */
export const beginSecondStep = async (
  deps: PeopleDeps,
  purpose: Purpose,
  [known, needed, upstream]: readonly [Known, 'totp' | 'enrol', UpstreamProof?],
): Promise<PageAnswer> => {
  const visit = await newVisit(deps);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const seed = needed === 'enrol' ? randomBytes(seedBytes).toString('base64url') : null;
  const { tenantId, continue: path } = purpose;
  const { principalId } = known;
  const proven =
    upstream === undefined ? { methods: ['pwd'], password: passwordOf(known) } : { methods: ['fed'], password: null };
  const step: SecondStep = { tenantId, principalId, ...proven, upstream: upstream ?? null, continue: path, seed };
  const put = await keepUnderWay(deps, nameOf(visit.right), step);
  return isLeft(put) ? problemPageOf(put.left) : redirect('/sign-in/code', visit.right.cookies);
};

export const secondStepName = nameOf;

export interface StepUnderWay {
  readonly visit: Visit;
  readonly step: SecondStep;
}

/** Left: nothing is under way in this browser. */
export const loadSecondStep = async (
  deps: PeopleDeps,
  { headers }: Arrived,
): Promise<Either<PageAnswer, StepUnderWay>> => {
  const visit = await knownVisit(deps, headers);
  if (isLeft(visit)) return left(problemPageOf(visit.left));
  if (visit.right === null) return left(redirect('/sign-in'));
  const step = await findUnderWay(deps, nameOf(visit.right), SecondStep);
  if (isLeft(step)) return left(problemPageOf(step.left));
  if (step.right === undefined) return left(redirect('/sign-in'));
  return right({ visit: visit.right, step: step.right });
};

/** A code that was taken is not taken again, however many processes it is shown to. */
export const takeCode = async (
  once: Once,
  { tenantId, principalId }: PersonId,
  [seed, code, now]: readonly [string, string, number],
): Promise<Either<Problem, boolean>> => {
  const step = stepOf(Buffer.from(seed, 'base64url'), code, now);
  if (step === undefined) return right(false);
  const first = await once.first(`totp:${personOf(tenantId, principalId)}:${step}`, rememberedMilliseconds);
  return isLeft(first) ? left(problemOf(first.left, {})) : first;
};

/** Takes one of the person's tries at a code; a known device is not held up by what its neighbours try. Left: not now. */
export const takeCodeGuess = async (
  deps: PeopleDeps,
  arrived: Arrived,
  { tenantId, principalId }: PersonId,
): Promise<Either<PageAnswer, Taken>> => {
  const known = await loadPerson(deps, { tenantId, principalId });
  if (isLeft(known)) return left(problemPageOf(known.left));
  const owner = { tenantId, principalId, securityEpoch: known.right.securityEpoch ?? 0 };
  const device = await findDevice(deps, arrived.headers, owner);
  if (isLeft(device)) return left(problemPageOf(device.left));
  const name = personOf(tenantId, principalId);
  const guess = { kind: 'code', name, address: addressOf(arrived), device: device.right } as const;
  return takeGuess(deps.people.attempts, guess);
};
