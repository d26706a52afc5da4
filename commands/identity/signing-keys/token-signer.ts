/** Signs with the active key of the log, and publishes the accepted keys. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { acceptedAt, hintKeysAt } from '../../../domain/identity/signing-keys/lifetimes';
import { activeKeyOf, type SigningKeys } from '../../../domain/identity/signing-keys/state';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { KmsFault, PublicJwk, Signer } from '../../../infra/ports/kms';
import type { SigningKeyCache } from './signing-key-cache';
import {
  destroyUnrecorded,
  nextKeyName,
  recordedJwkOf,
  runSigningKeyCommand,
  type SigningKeyDeps,
  toKeyRecord,
} from './signing-key-commands';

const unavailable = ({ detail }: { readonly detail: string }): Either<KmsFault, never> =>
  left(fault('signing-unavailable', detail));

type KnownKeys = Either<KmsFault, SigningKeys>;

/** Adopts the keys of a keystore that the log does not know yet; creates one in an empty keystore. */
const adoptKeystore = async (deps: SigningKeyDeps, before: SigningKeys): Promise<KnownKeys> => {
  const { kms, algorithm, clock, keys } = deps;
  const listed = await kms.list();
  if (isLeft(listed)) return listed;
  const made = listed.right.length > 0 ? listed : await kms.create({ algorithm, name: nextKeyName(before) });
  if (isLeft(made)) return unavailable(made.left);
  const keystoreKeys = [made.right].flat().map((key: PublicJwk) => toKeyRecord(key, kms));
  const active = keystoreKeys.at(-1);
  if (active === undefined) return unavailable({ detail: 'The keystore has no key.' });
  const adopted = await runSigningKeyCommand(deps, {
    type: 'AdoptKeys',
    active,
    earlier: keystoreKeys.slice(0, -1),
    at: clock.now(),
  });
  if (isLeft(adopted)) return unavailable(adopted.left);
  if (listed.right.length === 0) await destroyUnrecorded(deps, active.kid);
  const signingKeys = await keys.refresh();
  return isLeft(signingKeys) ? unavailable(signingKeys.left) : signingKeys;
};

/** Concurrent calls share one adoption. */
const createAdoption = (deps: SigningKeyDeps): ((look: SigningKeyCache['current']) => Promise<KnownKeys>) => {
  let adopting: Promise<KnownKeys> | undefined;
  return async (look) => {
    const signingKeys = await look();
    if (isLeft(signingKeys)) return unavailable(signingKeys.left);
    if (activeKeyOf(signingKeys.right) !== undefined) return signingKeys;
    adopting ??= adoptKeystore(deps, signingKeys.right).finally(() => {
      adopting = undefined;
    });
    return adopting;
  };
};

export interface CheckedSigner extends Signer {
  /** Left: why signing is impossible. */
  readonly check: () => Promise<Either<Fault, void>>;
}

/** Health checks are frequent and devices are slow. */
const keystoreCacheMilliseconds = 10_000;

const createSigningKeyLookup = ({ kms }: SigningKeyDeps) => {
  let seen: { readonly kid: string; readonly at: number } | undefined;
  return async ({ kid }: PublicJwk): Promise<Either<KmsFault, void>> => {
    const at = performance.now();
    if (seen?.kid === kid && at - seen.at < keystoreCacheMilliseconds) return right(undefined);
    const keystoreKeys = await kms.list();
    if (isLeft(keystoreKeys)) return keystoreKeys;
    if (!keystoreKeys.right.some((key) => key.kid === kid))
      return unavailable({ detail: 'The active signing key is not in this keystore: npm run keys -- replace.' });
    seen = { kid, at };
    return right(undefined);
  };
};

/** Clients cache the JWKS for minutes, so it must be current. */
const refreshedKeys = async ({ refresh, current }: SigningKeyCache): ReturnType<SigningKeyCache['refresh']> => {
  const found = await refresh();
  return isLeft(found) ? current() : found;
};

export const openTokenSigner = (deps: SigningKeyDeps): CheckedSigner => {
  const signingKeys = createAdoption(deps);
  const isPresent = createSigningKeyLookup(deps);
  const activeKey = async (): Promise<Either<KmsFault, PublicJwk>> => {
    const keys = await signingKeys(deps.keys.current);
    if (isLeft(keys)) return keys;
    const active = activeKeyOf(keys.right);
    const jwk = active === undefined ? undefined : recordedJwkOf(active);
    return jwk === undefined ? unavailable({ detail: 'There is no active signing key.' }) : right(jwk);
  };
  const keysOf = async (choose: typeof acceptedAt): ReturnType<Signer['publicKeys']> => {
    const keys = await signingKeys(() => refreshedKeys(deps.keys));
    if (isLeft(keys)) return keys;
    return right(choose(keys.right, deps.clock.now()).flatMap((key) => recordedJwkOf(key) ?? []));
  };
  return {
    activeKey,
    publicKeys: () => keysOf(acceptedAt),
    hintKeys: () => keysOf(hintKeysAt),
    sign: deps.kms.sign,
    check: async () => {
      const active = await activeKey();
      return isLeft(active) ? active : isPresent(active.right);
    },
  };
};
