/** State between a proved first factor (password or provider) and the second one: a TOTP code, or enrolling an app where the tenant requires it. */
import { createHash, randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, nullable, record, text } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { AttemptResult } from '../../../../infra/ports/identity/attempt-limiter';
import type { ReplayCache } from '../../../../infra/ports/identity/replay-cache';
import { type Problem, problemOf } from '../../../../infra/server/http/problem';
import type { PageAnswer } from '../../../../infra/server/http/routing/route';
import { problemPageOf, redirect } from '../../pages/page';
import { type LoadedPerson, loadPerson, loadPolicy, type PersonId, unlessForgotten } from '../../people/load-person';
import { sessionOwnerKey } from '../../sessions/current-session';
import { findDevice } from '../../sessions/device-cookies';
import { clientAddressOf } from '../../sessions/establish-session';
import { createPreSession, findPreSession, type PreSession } from '../../sessions/pre-session';
import { requireSignInAttempt } from '../attempt-limits';
import type { AuthenticationResult } from '../complete-login';
import type { PageRequest, SignInDeps } from '../dependencies';
import { loadFlowState, saveFlowState } from '../flow-state';
import { type LoginRequest, maxContinueLength } from '../login-request';
import { limitedSignIn } from '../refused-sign-in';
import { codeRetentionMilliseconds, findTimeStep } from './totp';

const seedBytes = 20;

/** The provider that proved the first factor; its link and configuration must still exist afterwards. */
const ProviderProof = record('UpstreamProof', {
  providerId: text('ProviderId', { maxLength: 128 }),
  issuer: text('Issuer', { maxLength: 2_048 }),
  subjectHash: text('SubjectHash', { maxLength: 64 }),
  provenAt: Instant,
});
export type ProviderProof = t.TypeOf<typeof ProviderProof>;

/** The proved first factor. */
export const SecondFactorState = record('SecondStep', {
  tenantId: TenantId,
  principalId: PrincipalId,
  methods: t.array(t.string),
  /** Hash of the recorded password hash: a password changed in between proves nothing. Null: a provider was the first factor. */
  password: nullable(text('PasswordProven', { maxLength: 43 })),
  upstream: nullable(ProviderProof),
  continue: text('Path', { maxLength: maxContinueLength }),
  /** Seed of an app being enrolled; null: the person has one. */
  seed: nullable(text('Seed', { maxLength: 64 })),
});
export type SecondFactorState = t.TypeOf<typeof SecondFactorState>;

const flowNameOf = ({ id }: PreSession): string => `second-step:${id}`;

const passwordHashOf = ({ person }: LoadedPerson): string =>
  createHash('sha256')
    .update(unlessForgotten(person.password) ?? '')
    .digest('base64url');

const isStillLinked = async (
  deps: SignInDeps,
  { tenantId, person }: LoadedPerson,
  { providerId, issuer, subjectHash }: ProviderProof,
): Promise<Either<Problem, boolean>> => {
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return policy;
  const isProvider = policy.right.providers.get(providerId)?.issuer === issuer;
  return right(isProvider && person.upstreams.some((link) => link.subjectHash === subjectHash));
};

/** Whether the first factor is still valid. */
export const isStillProven = async (
  deps: SignInDeps,
  { password, upstream }: SecondFactorState,
  loaded: LoadedPerson,
): Promise<Either<Problem, boolean>> =>
  upstream === null ? right(password === passwordHashOf(loaded)) : isStillLinked(deps, loaded, upstream);

/** Authentication result after both factors. */
export const authenticationResultOf = ({
  methods,
  upstream,
  continue: path,
}: SecondFactorState): AuthenticationResult => ({
  methods: [...methods, 'otp', 'mfa'],
  continue: path,
  ...(upstream === null ? {} : { upstreamIssuer: upstream.issuer, provenAt: upstream.provenAt }),
});

/** Starts a new pre-session, which prevents fixation. */
export const beginSecondFactor = async (
  deps: SignInDeps,
  loginRequest: LoginRequest,
  {
    loaded,
    needed,
    upstream,
  }: {
    readonly loaded: LoadedPerson;
    readonly needed: 'totp' | 'enrol';
    readonly upstream?: ProviderProof | undefined;
  },
): Promise<PageAnswer> => {
  const preSession = await createPreSession(deps);
  if (isLeft(preSession)) return problemPageOf(preSession.left);
  const seed = needed === 'enrol' ? randomBytes(seedBytes).toString('base64url') : null;
  const { tenantId, continue: path } = loginRequest;
  const { principalId } = loaded;
  const proven =
    upstream === undefined
      ? { methods: ['pwd'], password: passwordHashOf(loaded) }
      : { methods: ['fed'], password: null };
  const step: SecondFactorState = {
    tenantId,
    principalId,
    ...proven,
    upstream: upstream ?? null,
    continue: path,
    seed,
  };
  const put = await saveFlowState(deps, flowNameOf(preSession.right), step);
  return isLeft(put) ? problemPageOf(put.left) : redirect('/sign-in/code', preSession.right.cookies);
};

export const secondFactorFlowName = flowNameOf;

export interface PendingSecondFactor {
  readonly visit: PreSession;
  readonly step: SecondFactorState;
}

/** Left: no pending second factor in this browser. */
export const loadSecondFactor = async (
  deps: SignInDeps,
  { headers }: PageRequest,
): Promise<Either<PageAnswer, PendingSecondFactor>> => {
  const preSession = await findPreSession(deps, headers);
  if (isLeft(preSession)) return left(problemPageOf(preSession.left));
  if (preSession.right === null) return left(redirect('/sign-in'));
  const step = await loadFlowState(deps, flowNameOf(preSession.right), SecondFactorState);
  if (isLeft(step)) return left(problemPageOf(step.left));
  if (step.right === undefined) return left(redirect('/sign-in'));
  return right({ visit: preSession.right, step: step.right });
};

/** Single use across all processes. */
export const consumeTotpCode = async (
  once: ReplayCache,
  { tenantId, principalId }: PersonId,
  { seed, code, now }: { readonly seed: string; readonly code: string; readonly now: number },
): Promise<Either<Problem, boolean>> => {
  const step = findTimeStep(Buffer.from(seed, 'base64url'), code, now);
  if (step === undefined) return right(false);
  const first = await once.first(`totp:${sessionOwnerKey(tenantId, principalId)}:${step}`, codeRetentionMilliseconds);
  return isLeft(first) ? left(problemOf(first.left, {})) : first;
};

/** Counts an attempt of the person; known devices have their own counter. Left: blocked for now. */
export const requireTotpAttempt = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  { tenantId, principalId }: PersonId,
): Promise<Either<PageAnswer, AttemptResult>> => {
  const loaded = await loadPerson(deps, { tenantId, principalId });
  if (isLeft(loaded)) return left(problemPageOf(loaded.left));
  const owner = { tenantId, principalId, securityEpoch: loaded.right.securityEpoch ?? 0 };
  const device = await findDevice(deps, pageRequest.headers, owner);
  if (isLeft(device)) return left(problemPageOf(device.left));
  const name = sessionOwnerKey(tenantId, principalId);
  const guess = { kind: 'code', name, address: clientAddressOf(pageRequest), device: device.right } as const;
  const guessed = await requireSignInAttempt(deps.people.attempts, guess);
  if (!isLeft(guessed) || guessed.left.status !== 429) return guessed;
  const limited = limitedSignIn('Too many wrong codes: codes are refused for a while.', { tenantId, principalId });
  return left({ ...guessed.left, ...limited });
};
