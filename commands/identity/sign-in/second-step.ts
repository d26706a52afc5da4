/** Between a password and a session: the code of an authenticator app, or setting one up where the tenant asks for it. */
import { createHash, randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { PrincipalId } from '../../../domain/identity/principal-id';
import { nullable, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
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
import { takeGuess } from './limits';
import { type Known, kept, loadPerson, type PersonId } from './person';
import { rememberedMilliseconds, stepOf } from './totp';
import { findUnderWay, keepUnderWay } from './under-way';

const seedBytes = 20;

/** What the password proved already. */
export const SecondStep = record('SecondStep', {
  tenantId: TenantId,
  principalId: PrincipalId,
  methods: t.array(t.string),
  /** Of the password as it is recorded: one that was changed meanwhile proved nothing. */
  password: text('PasswordProven', { maxLength: 43 }),
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

export const stillProven = ({ password }: SecondStep, known: Known): boolean => password === passwordOf(known);

/** Under a new visit: one that was planted knows nothing of what was proved. */
export const beginSecondStep = async (
  deps: PeopleDeps,
  purpose: Purpose,
  [known, needed]: readonly [Known, 'totp' | 'enrol'],
): Promise<PageAnswer> => {
  const visit = await newVisit(deps);
  if (isLeft(visit)) return problemPageOf(visit.left);
  const seed = needed === 'enrol' ? randomBytes(seedBytes).toString('base64url') : null;
  const { tenantId, continue: path } = purpose;
  const { principalId } = known;
  const proven = { methods: ['pwd'], password: passwordOf(known) };
  const step: SecondStep = { tenantId, principalId, ...proven, continue: path, seed };
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
