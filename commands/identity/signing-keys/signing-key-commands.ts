/** Commands to the keys that came with no request: the platform looks after them by itself, or an operator at its machine. */
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import type { KeyId } from '../../../domain/identity/ids';
import {
  type SigningKeyCommand,
  type SigningKeyRejection,
  signingKey,
} from '../../../domain/identity/signing-keys/decider';
import type { SigningKeyEvent } from '../../../domain/identity/signing-keys/events';
import type { NewSigningKey, SigningKey, SigningKeys } from '../../../domain/identity/signing-keys/state';
import { platformTenant, signingKeysStream } from '../../../domain/identity/streams';
import type {
  EcPublicJwk,
  Kms,
  KmsFault,
  KmsRefusal,
  OkpPublicJwk,
  PublicJwk,
  SigningAlgorithm,
} from '../../../infra/ports/kms';
import type { CommandDeps } from '../../kernel/command-spec';
import { handle } from '../../kernel/handle';
import type { Handled, Refusal } from '../../kernel/request';
import type { SigningKeyCache } from './signing-key-cache';

export interface SigningKeyDeps extends CommandDeps {
  readonly kms: Kms;
  readonly keys: SigningKeyCache;
  /** Of keys that are made. */
  readonly algorithm: SigningAlgorithm;
}

/** Each is another command: that a thing is done once is for the rules to say. */
export const runSigningKeyCommand = (
  deps: SigningKeyDeps,
  command: SigningKeyCommand,
  actor = 'system:signing-keys',
): Promise<Either<Refusal<SigningKeyRejection>, Handled<SigningKeyEvent>>> => {
  const commandId = deps.random.uuid();
  return handle(deps, signingKey, {
    stream: signingKeysStream,
    command,
    commandId,
    tenant: platformTenant,
    actor,
    correlationId: commandId,
  });
};

/** Keys between the keystore, which holds them, and the log, which says what they are. */

export const toKeyRecord = (keystoreKeys: PublicJwk, { keystore }: Pick<Kms, 'keystore'>): NewSigningKey => {
  const { kid, alg, kty, crv, x } = keystoreKeys;
  const publicKey = keystoreKeys.kty === 'EC' ? { kty, crv, x, y: keystoreKeys.y } : { kty, crv, x };
  return { kid: kid as KeyId, algorithm: alg, publicKey, keystore };
};

const signingUse = 'sig';

/** Undefined when what was recorded is no key: it verifies nothing. */
export const recordedJwkOf = ({ kid, publicKey }: SigningKey): PublicJwk | undefined => {
  const { kty, crv, x, y } = publicKey;
  if (kty === 'EC' && crv === 'P-256' && x !== undefined && y !== undefined)
    return { kty, crv, x, y, kid, alg: 'ES256', use: signingUse } satisfies EcPublicJwk;
  if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined)
    return { kty, crv, x, kid, alg: 'EdDSA', use: signingUse } satisfies OkpPublicJwk;
  return undefined;
};

/** Keys are held before the log says so; what it does not say in the end is destroyed again. */

export type CreatedKey = Either<KmsFault | KmsRefusal, PublicJwk>;

/** By the number of keys before it, so that all who see the same need make the same key. */
export const nextKeyName = (signingKeys: SigningKeys): string => String(signingKeys.size + 1).padStart(6, '0');

export const createNextKey = async (
  { kms, algorithm, random }: SigningKeyDeps,
  signingKeys: SigningKeys,
): Promise<CreatedKey> => {
  const made = await kms.create({ algorithm, name: nextKeyName(signingKeys) });
  // The name was taken by a key that had its time.
  const isKnown = isRight(made) && signingKeys.has(made.right.kid as KeyId);
  return isKnown ? kms.create({ algorithm, name: random.uuid() }) : made;
};

/** Somebody else's became it. When that cannot be told it stays, and harms nobody. */
export const destroyUnrecorded = async ({ keys, kms }: SigningKeyDeps, kid: string): Promise<void> => {
  const signingKeys = await keys.refresh();
  if (isLeft(signingKeys) || signingKeys.right.has(kid as KeyId)) return;
  await kms.destroy(kid);
};
