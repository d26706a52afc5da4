/** Signs with the active keys of the log, and publishes the accepted keys. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { acceptedAt } from '../../../domain/identity/signing-keys/lifetimes';
import { activeKeyOf, type KeyUse, keyUseOf, type SigningKeys } from '../../../domain/identity/signing-keys/state';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { KmsFault, PublicJwk, Signer } from '../../../infra/ports/kms';
import type { SigningKeyCache } from './signing-key-cache';
import {
  destroyUnrecorded,
  nextKey,
  recordedJwkOf,
  runSigningKeyCommand,
  type SigningKeyDeps,
  toKeyRecord,
} from './signing-key-commands';

const unavailable = ({ detail }: { readonly detail: string }): Either<KmsFault, never> =>
  left(fault('signing-unavailable', detail));

type KnownKeys = Either<KmsFault, SigningKeys>;

/** Adopts the keys of a keystore that the log does not know yet; creates one where the keystore has none of the use. */
const adoptKeystore = async (deps: SigningKeyDeps, before: SigningKeys, use: KeyUse): Promise<KnownKeys> => {
  const { kms, clock, keys } = deps;
  const listed = await kms.list();
  if (isLeft(listed)) return listed;
  const existing = listed.right.filter(({ alg }) => keyUseOf({ algorithm: alg }) === use);
  const made = existing.length > 0 ? right(existing) : await kms.create(nextKey(deps, before, use));
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
  if (existing.length === 0) await destroyUnrecorded(deps, active.kid);
  const signingKeys = await keys.refresh();
  return isLeft(signingKeys) ? unavailable(signingKeys.left) : signingKeys;
};

type LookUp = SigningKeyCache['current'];

/** Keys among which one of the use is active. Concurrent calls share one adoption. */
const createAdoption = (deps: SigningKeyDeps): ((look: LookUp, use: KeyUse) => Promise<KnownKeys>) => {
  const adopting = new Map<KeyUse, Promise<KnownKeys>>();
  return async (look, use) => {
    const signingKeys = await look();
    if (isLeft(signingKeys)) return unavailable(signingKeys.left);
    if (activeKeyOf(signingKeys.right, use) !== undefined) return signingKeys;
    const adoption =
      adopting.get(use) ?? adoptKeystore(deps, signingKeys.right, use).finally(() => adopting.delete(use));
    adopting.set(use, adoption);
    return adoption;
  };
};

export interface CheckedSigner extends Signer {
  /** Left: why signing is impossible. */
  readonly check: () => Promise<Either<Fault, void>>;
}

/** Health checks are frequent and devices are slow. */
const keystoreCacheMilliseconds = 10_000;

const createSigningKeyLookup = ({ kms }: SigningKeyDeps) => {
  const seen = new Map<string, number>();
  return async ({ kid }: PublicJwk): Promise<Either<KmsFault, void>> => {
    const at = performance.now();
    if (at - (seen.get(kid) ?? Number.NEGATIVE_INFINITY) < keystoreCacheMilliseconds) return right(undefined);
    const keystoreKeys = await kms.list();
    if (isLeft(keystoreKeys)) return keystoreKeys;
    if (!keystoreKeys.right.some((key) => key.kid === kid))
      return unavailable({ detail: 'An active signing key is not in this keystore: npm run keys -- replace.' });
    for (const key of keystoreKeys.right) seen.set(key.kid, at);
    return right(undefined);
  };
};

/** Clients cache the JWKS for minutes, so it must be current. */
const refreshedKeys = async ({ refresh, current }: SigningKeyCache): ReturnType<SigningKeyCache['refresh']> => {
  const found = await refresh();
  return isLeft(found) ? current() : found;
};

type Adoption = ReturnType<typeof createAdoption>;

/** Verifiers of access tokens get their keys also where a device can make none for ID tokens. */
const allKeys = async (adopt: Adoption, look: LookUp): Promise<KnownKeys> => {
  const known = await adopt(look, 'access-token');
  if (isLeft(known)) return known;
  const all = await adopt(async () => known, 'id-token');
  return isLeft(all) ? known : all;
};

export const openTokenSigner = (deps: SigningKeyDeps): CheckedSigner => {
  const signingKeys = createAdoption(deps);
  const isPresent = createSigningKeyLookup(deps);
  const activeKey = async (use: KeyUse): Promise<Either<KmsFault, PublicJwk>> => {
    const keys = await signingKeys(deps.keys.current, use);
    if (isLeft(keys)) return keys;
    const active = activeKeyOf(keys.right, use);
    const jwk = active === undefined ? undefined : recordedJwkOf(active);
    return jwk === undefined ? unavailable({ detail: 'There is no active signing key.' }) : right(jwk);
  };
  return {
    activeKey,
    publicKeys: async () => {
      const keys = await allKeys(signingKeys, () => refreshedKeys(deps.keys));
      if (isLeft(keys)) return keys;
      return right(acceptedAt(keys.right, deps.clock.now()).flatMap((key) => recordedJwkOf(key) ?? []));
    },
    sign: deps.kms.sign,
    check: async () => {
      const active = await activeKey('access-token');
      const checked = isLeft(active) ? active : await isPresent(active.right);
      if (isLeft(checked)) return checked;
      const idTokens = await activeKey('id-token');
      // A device that cannot make such a key still signs access tokens.
      return isLeft(idTokens) ? right(undefined) : isPresent(idTokens.right);
    },
  };
};
