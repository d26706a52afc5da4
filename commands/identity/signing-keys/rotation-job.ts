/** Scheduled job: rotates keys, takes over after a keystore change, destroys unused keys. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { SigningKeyRejection } from '../../../domain/identity/signing-keys/decider';
import { destroyableKeysAt, rotationStepAt } from '../../../domain/identity/signing-keys/lifetimes';
import {
  activeKeyOf,
  type KeyUse,
  keyUseOf,
  keyUses,
  type SigningKey,
  type SigningKeys,
} from '../../../domain/identity/signing-keys/state';
import type { KmsFault, KmsRefusal, PublicJwk } from '../../../infra/ports/kms';
import type { Log } from '../../../infra/ports/runtime/log';
import { type Outage, trackOutage } from '../../../infra/server/runtime/outage';
import type { Refusal } from '../../kernel/handle-request';
import {
  createNextKey,
  destroyUnrecorded,
  runSigningKeyCommand,
  type SigningKeyDeps,
  toKeyRecord,
} from './signing-key-commands';

export interface RotationDeps extends SigningKeyDeps {
  readonly log: Log;
  /** Days of use; 0: no scheduled rotation. */
  readonly rotateEveryDays: number;
}

/** Left: retried later. Right: the changed key, if any. */
type RotationResult = Either<KmsFault | KmsRefusal | Refusal<SigningKeyRejection>, string | undefined>;

const noChange: RotationResult = right(undefined);

interface UsedKeys {
  readonly signingKeys: SigningKeys;
  readonly use: KeyUse;
}

const withNewKey = async (
  deps: RotationDeps,
  { signingKeys, use }: UsedKeys,
  record: (key: PublicJwk) => ReturnType<typeof runSigningKeyCommand>,
): Promise<RotationResult> => {
  const made = await createNextKey(deps, signingKeys, use);
  if (isLeft(made)) return made;
  const done = await record(made.right);
  await destroyUnrecorded(deps, made.right.kid);
  if (isLeft(done)) return done;
  return done.right.events.length === 0 ? noChange : right(made.right.kid);
};

type KeystoreKeys = readonly PublicJwk[];
const isInKeystore = (keystoreKeys: KeystoreKeys, { kid }: SigningKey): boolean =>
  keystoreKeys.some((key) => key.kid === kid);

/** A key that is missing in the keystore retires instead of becoming active. */
const advanceKey = async (deps: RotationDeps, { kid }: SigningKey, isPresent: boolean): Promise<RotationResult> => {
  const type = isPresent ? 'ActivateKey' : 'RetireKey';
  const done = await runSigningKeyCommand(deps, { type, kid, at: deps.clock.now() });
  return isLeft(done) ? done : right(done.right.events.length === 0 ? undefined : kid);
};

const rotateDueKey = async (
  deps: RotationDeps,
  used: UsedKeys,
  keystoreKeys: KeystoreKeys,
): Promise<RotationResult> => {
  const schedule = { use: used.use, days: deps.rotateEveryDays };
  const due = rotationStepAt(used.signingKeys, deps.clock.now(), schedule);
  if (due.kind === 'nothing') return noChange;
  if (due.kind === 'activate') return advanceKey(deps, due.key, isInKeystore(keystoreKeys, due.key));
  return withNewKey(deps, used, (key) =>
    runSigningKeyCommand(deps, { type: 'PublishKeys', keys: [toKeyRecord(key, deps.kms)], at: deps.clock.now() }),
  );
};

const replaceKey = (deps: RotationDeps, signingKeys: SigningKeys, lost: SigningKey): Promise<RotationResult> =>
  withNewKey(deps, { signingKeys, use: keyUseOf(lost) }, (key) =>
    runSigningKeyCommand(deps, {
      type: 'ReplaceKey',
      kid: lost.kid,
      replacement: toKeyRecord(key, deps.kms),
      at: deps.clock.now(),
    }),
  );

/** Only when the configuration names another keystore: a key that is merely missing may be in use elsewhere. */
const isKeystoreReplaced = ({ kms }: RotationDeps, active: SigningKey, keystoreKeys: KeystoreKeys): boolean =>
  active.keystore !== kms.keystore && !isInKeystore(keystoreKeys, active);

const destroyUnusedKeys = async (
  { kms, clock }: RotationDeps,
  signingKeys: SigningKeys,
  keystoreKeys: KeystoreKeys,
): Promise<RotationResult> => {
  for (const { kid } of destroyableKeysAt(signingKeys, clock.now()).filter((key) => isInKeystore(keystoreKeys, key))) {
    const destroyed = await kms.destroy(kid);
    if (isLeft(destroyed)) return destroyed;
  }
  return noChange;
};

const tendUse = (
  deps: RotationDeps,
  used: UsedKeys,
  { keystoreKeys, begins }: { readonly keystoreKeys: KeystoreKeys; readonly begins: boolean },
): Promise<RotationResult> => {
  const active = activeKeyOf(used.signingKeys, used.use);
  return begins && active !== undefined && isKeystoreReplaced(deps, active, keystoreKeys)
    ? replaceKey(deps, used.signingKeys, active)
    : rotateDueKey(deps, used, keystoreKeys);
};

/** Both are tended, also when a device can make keys of one use only. */
const tendUses = async (
  deps: RotationDeps,
  signingKeys: SigningKeys,
  look: { readonly keystoreKeys: KeystoreKeys; readonly begins: boolean },
): Promise<RotationResult> => {
  let result = noChange;
  for (const use of keyUses) {
    const tended = await tendUse(deps, { signingKeys, use }, look);
    if (isLeft(result) || (!isLeft(tended) && tended.right === undefined)) continue;
    result = isLeft(tended) ? tended : right(result.right ?? tended.right);
  }
  return result;
};

/**
 * One run. Processes may run it concurrently: the log accepts one decision. Only starting processes take keys over, so those with the old
 * configuration do not take them back.
 */
export const rotateIfDue = async (deps: RotationDeps, begins = true): Promise<RotationResult> => {
  const signingKeys = await deps.keys.refresh();
  if (isLeft(signingKeys)) return signingKeys;
  const keystoreKeys = await deps.kms.list();
  if (isLeft(keystoreKeys)) return keystoreKeys;
  const cleared = await destroyUnusedKeys(deps, signingKeys.right, keystoreKeys.right);
  return isLeft(cleared) ? cleared : tendUses(deps, signingKeys.right, { keystoreKeys: keystoreKeys.right, begins });
};

const pauseMilliseconds = 10_000;

/** False: something was unavailable. */
const runOnce = async (deps: RotationDeps, begins: boolean, outage: Outage): Promise<boolean> => {
  const tended = await rotateIfDue(deps, begins);
  if (isLeft(tended)) outage.failed({ refusal: tended.left });
  else outage.recovered();
  if (!isLeft(tended) && tended.right !== undefined) deps.log.info({ kid: tended.right }, 'a signing key moved on');
  return !isLeft(tended);
};

/** Runs until the signal aborts. */
export const runRotationJob = async (deps: RotationDeps, signal: AbortSignal): Promise<void> => {
  let begins = true;
  const outage = trackOutage(deps.log, {
    failing: 'signing keys could not be rotated; tried again',
    recovered: 'signing keys are tended again',
  });
  const defective = (error: unknown): boolean => {
    deps.log.error({ error }, 'signing keys cannot be rotated');
    return false;
  };
  while (!signal.aborted) {
    if (await runOnce(deps, begins, outage).catch(defective)) begins = false;
    await sleep(pauseMilliseconds * (1 + Math.random()), undefined, { signal }).catch(() => undefined);
  }
};
