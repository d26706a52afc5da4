/** Keys are held before the log says so; what it does not say in the end is destroyed again. */
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import type { KeyId } from '../../../domain/identity/ids';
import type { SigningKeys } from '../../../domain/identity/signing-keys/state';
import type { KmsFault, KmsRefusal, PublicJwk } from '../../../infra/ports/kms';
import type { KeyDeps } from './decided';

export type Made = Either<KmsFault | KmsRefusal, PublicJwk>;

/** By the number of keys before it, so that all who see the same need make the same key. */
export const nextName = (known: SigningKeys): string => String(known.size + 1).padStart(6, '0');

export const makeNext = async ({ kms, algorithm, random }: KeyDeps, known: SigningKeys): Promise<Made> => {
  const made = await kms.create({ algorithm, name: nextName(known) });
  // The name was taken by a key that had its time.
  const isKnown = isRight(made) && known.has(made.right.kid as KeyId);
  return isKnown ? kms.create({ algorithm, name: random.uuid() }) : made;
};

/** Somebody else's became it. When that cannot be told it stays, and harms nobody. */
export const destroyUnrecorded = async ({ keys, kms }: KeyDeps, kid: string): Promise<void> => {
  const known = await keys.refresh();
  if (isLeft(known) || known.right.has(kid as KeyId)) return;
  await kms.destroy(kid);
};
