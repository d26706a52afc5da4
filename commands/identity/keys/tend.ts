/** Looks after the keys: rotates what is due, takes over what moved to another keystore, destroys what is spent. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { SigningKeyRejection } from '../../../domain/identity/signing-keys/decider';
import { dueAt, spentAt } from '../../../domain/identity/signing-keys/lifetimes';
import { activeIn, type SigningKey, type SigningKeys } from '../../../domain/identity/signing-keys/state';
import type { KmsFault, KmsRefusal, PublicJwk } from '../../../infra/ports/kms';
import type { Log } from '../../../infra/ports/log';
import type { Refusal } from '../../kernel/request';
import { decided, type KeyDeps } from './decided';
import { recordOf } from './held-key';
import { destroyUnrecorded, makeNext } from './make-key';

export interface TendDeps extends KeyDeps {
  readonly log: Log;
  /** How long a key signs; 0 until somebody says otherwise. */
  readonly rotateEveryDays: number;
}

/** Left: it is tried again. Right: what was done, if anything. */
type Tended = Either<KmsFault | KmsRefusal | Refusal<SigningKeyRejection>, string | undefined>;

const nothing: Tended = right(undefined);

const withNewKey = async (
  deps: TendDeps,
  known: SigningKeys,
  use: (key: PublicJwk) => ReturnType<typeof decided>,
): Promise<Tended> => {
  const made = await makeNext(deps, known);
  if (isLeft(made)) return made;
  const done = await use(made.right);
  await destroyUnrecorded(deps, made.right.kid);
  if (isLeft(done)) return done;
  return done.right.events.length === 0 ? nothing : right(made.right.kid);
};

type Held = readonly PublicJwk[];
const holds = (held: Held, { kid }: SigningKey): boolean => held.some((key) => key.kid === kid);

/** What cannot sign must not become the key that does. */
const turn = async (deps: TendDeps, { kid }: SigningKey, isHeld: boolean): Promise<Tended> => {
  const type = isHeld ? 'ActivateKey' : 'RetireKey';
  const done = await decided(deps, { type, kid, at: deps.clock.now() });
  return isLeft(done) ? done : right(done.right.events.length === 0 ? undefined : kid);
};

const rotate = async (deps: TendDeps, known: SigningKeys, held: Held): Promise<Tended> => {
  const due = dueAt(known, deps.clock.now(), deps.rotateEveryDays);
  if (due.kind === 'nothing') return nothing;
  if (due.kind === 'activate') return turn(deps, due.key, holds(held, due.key));
  return withNewKey(deps, known, (key) =>
    decided(deps, { type: 'PublishKey', key: recordOf(key, deps.kms), at: deps.clock.now() }),
  );
};

const replaced = (deps: TendDeps, known: SigningKeys, { kid }: SigningKey): Promise<Tended> =>
  withNewKey(deps, known, (key) =>
    decided(deps, { type: 'ReplaceKey', kid, replacement: recordOf(key, deps.kms), at: deps.clock.now() }),
  );

/** Only where the configuration names another keystore: a key that is merely not found may be in use elsewhere. */
const hasMoved = ({ kms }: TendDeps, active: SigningKey, held: Held): boolean =>
  active.keystore !== kms.keystore && !holds(held, active);

const clear = async ({ kms, clock }: TendDeps, known: SigningKeys, held: Held): Promise<Tended> => {
  for (const { kid } of spentAt(known, clock.now()).filter((key) => holds(held, key))) {
    const destroyed = await kms.destroy(kid);
    if (isLeft(destroyed)) return destroyed;
  }
  return nothing;
};

/**
 * One look. Any number of processes may look at once: of what they decide the log takes one. Keys are taken over by a process that
 * begins, so that those which still have the configuration before do not take them back.
 */
export const tendOnce = async (deps: TendDeps, begins = true): Promise<Tended> => {
  const known = await deps.keys.refresh();
  if (isLeft(known)) return known;
  const held = await deps.kms.list();
  if (isLeft(held)) return held;
  const active = activeIn(known.right);
  if (begins && active !== undefined && hasMoved(deps, active, held.right)) return replaced(deps, known.right, active);
  const cleared = await clear(deps, known.right, held.right);
  return isLeft(cleared) ? cleared : rotate(deps, known.right, held.right);
};

const pauseMilliseconds = 10_000;

/** Whether everything could be looked at. */
const look = async (deps: TendDeps, begins: boolean): Promise<boolean> => {
  const tended = await tendOnce(deps, begins);
  if (isLeft(tended)) deps.log.warn({ refusal: tended.left }, 'signing keys could not be looked after; tried again');
  else if (tended.right !== undefined) deps.log.info({ kid: tended.right }, 'a signing key moved on');
  return !isLeft(tended);
};

/** Until the signal. */
export const tendKeys = async (deps: TendDeps, signal: AbortSignal): Promise<void> => {
  let begins = true;
  const defective = (error: unknown): boolean => {
    deps.log.error({ error }, 'signing keys cannot be looked after');
    return false;
  };
  while (!signal.aborted) {
    if (await look(deps, begins).catch(defective)) begins = false;
    await sleep(pauseMilliseconds * (1 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
};
