/** Signs with the key that the log says, and publishes those that it says. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { acceptedAt } from '../../../domain/identity/signing-keys/lifetimes';
import { activeIn, type SigningKeys } from '../../../domain/identity/signing-keys/state';
import { type Fault, fault } from '../../../domain/kernel/rejection';
import type { KmsFault, PublicJwk, Signer } from '../../../infra/ports/kms';
import { decided, type KeyDeps } from './decided';
import { publicJwkOf, recordOf } from './held-key';
import { destroyUnrecorded, nextName } from './make-key';
import type { RecordedKeys } from './recorded-keys';

const unavailable = ({ detail }: { readonly detail: string }): Either<KmsFault, never> =>
  left(fault('signing-unavailable', detail));

type Known = Either<KmsFault, SigningKeys>;

/** The key that signed before the log knew of keys goes on; where none is held, one is made. */
const adopt = async (deps: KeyDeps, before: SigningKeys): Promise<Known> => {
  const { kms, algorithm, clock, keys } = deps;
  const listed = await kms.list();
  if (isLeft(listed)) return listed;
  const made = listed.right.length > 0 ? listed : await kms.create({ algorithm, name: nextName(before) });
  if (isLeft(made)) return unavailable(made.left);
  const held = [made.right].flat().map((key: PublicJwk) => recordOf(key, kms));
  const active = held.at(-1);
  if (active === undefined) return unavailable({ detail: 'The keystore holds no key.' });
  const adopted = await decided(deps, { type: 'AdoptKeys', active, earlier: held.slice(0, -1), at: clock.now() });
  if (isLeft(adopted)) return unavailable(adopted.left);
  if (listed.right.length === 0) await destroyUnrecorded(deps, active.kid);
  const known = await keys.refresh();
  return isLeft(known) ? unavailable(known.left) : known;
};

/** Of those that are asked at once, one adopts. */
const openKnown = (deps: KeyDeps): ((look: RecordedKeys['current']) => Promise<Known>) => {
  let adopting: Promise<Known> | undefined;
  return async (look) => {
    const known = await look();
    if (isLeft(known)) return unavailable(known.left);
    if (activeIn(known.right) !== undefined) return known;
    adopting ??= adopt(deps, known.right).finally(() => {
      adopting = undefined;
    });
    return adopting;
  };
};

export interface CheckedSigner extends Signer {
  /** Left: why no token can be signed right now. */
  readonly check: () => Promise<Either<Fault, void>>;
}

/** Health is asked for often, and a device takes its time. */
const seenMilliseconds = 10_000;

const openHeld = ({ kms }: KeyDeps) => {
  let seen: { readonly kid: string; readonly at: number } | undefined;
  return async ({ kid }: PublicJwk): Promise<Either<KmsFault, void>> => {
    const at = performance.now();
    if (seen?.kid === kid && at - seen.at < seenMilliseconds) return right(undefined);
    const held = await kms.list();
    if (isLeft(held)) return held;
    if (!held.right.some((key) => key.kid === kid))
      return unavailable({ detail: 'The active signing key is not in this keystore: npm run keys -- replace.' });
    seen = { kid, at };
    return right(undefined);
  };
};

/** Others keep what is published for minutes: they are not to keep what was true a moment ago. */
const latest = async ({ refresh, current }: RecordedKeys): ReturnType<RecordedKeys['refresh']> => {
  const found = await refresh();
  return isLeft(found) ? current() : found;
};

export const openSigner = (deps: KeyDeps): CheckedSigner => {
  const known = openKnown(deps);
  const isHeld = openHeld(deps);
  const activeKey = async (): Promise<Either<KmsFault, PublicJwk>> => {
    const keys = await known(deps.keys.current);
    if (isLeft(keys)) return keys;
    const active = activeIn(keys.right);
    const jwk = active === undefined ? undefined : publicJwkOf(active);
    return jwk === undefined ? unavailable({ detail: 'There is no active signing key.' }) : right(jwk);
  };
  return {
    activeKey,
    publicKeys: async () => {
      const keys = await known(() => latest(deps.keys));
      if (isLeft(keys)) return keys;
      return right(acceptedAt(keys.right, deps.clock.now()).flatMap((key) => publicJwkOf(key) ?? []));
    },
    sign: deps.kms.sign,
    check: async () => {
      const active = await activeKey();
      return isLeft(active) ? active : isHeld(active.right);
    },
  };
};
