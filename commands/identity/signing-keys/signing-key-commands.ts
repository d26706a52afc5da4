/** Signing key commands without a request (from the job and the CLI), key records, and key creation. */
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
import type { HandledCommand, Refusal } from '../../kernel/handle-request';
import type { SigningKeyCache } from './signing-key-cache';

export interface SigningKeyDeps extends CommandDeps {
  readonly kms: Kms;
  readonly keys: SigningKeyCache;
  /** Algorithm of new keys. */
  readonly algorithm: SigningAlgorithm;
}

/** Each run is a new command; the decider makes it idempotent. */
export const runSigningKeyCommand = (
  deps: SigningKeyDeps,
  command: SigningKeyCommand,
  actor = 'system:signing-keys',
): Promise<Either<Refusal<SigningKeyRejection>, HandledCommand<SigningKeyEvent>>> => {
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

export const toKeyRecord = (keystoreKeys: PublicJwk, { keystore }: Pick<Kms, 'keystore'>): NewSigningKey => {
  const { kid, alg, kty, crv, x } = keystoreKeys;
  const publicKey = keystoreKeys.kty === 'EC' ? { kty, crv, x, y: keystoreKeys.y } : { kty, crv, x };
  return { kid: kid as KeyId, algorithm: alg, publicKey, keystore };
};

const signingUse = 'sig';

/** Undefined: the record is not a valid key and verifies nothing. */
export const recordedJwkOf = ({ kid, publicKey }: SigningKey): PublicJwk | undefined => {
  const { kty, crv, x, y } = publicKey;
  if (kty === 'EC' && crv === 'P-256' && x !== undefined && y !== undefined)
    return { kty, crv, x, y, kid, alg: 'ES256', use: signingUse } satisfies EcPublicJwk;
  if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined)
    return { kty, crv, x, kid, alg: 'EdDSA', use: signingUse } satisfies OkpPublicJwk;
  return undefined;
};

export type CreatedKey = Either<KmsFault | KmsRefusal, PublicJwk>;

/** Derived from the number of keys, so that concurrent processes create the same key. */
export const nextKeyName = (signingKeys: SigningKeys): string => String(signingKeys.size + 1).padStart(6, '0');

export const createNextKey = async (
  { kms, algorithm, random }: SigningKeyDeps,
  signingKeys: SigningKeys,
): Promise<CreatedKey> => {
  const made = await kms.create({ algorithm, name: nextKeyName(signingKeys) });
  // The name belongs to a former key.
  const isKnown = isRight(made) && signingKeys.has(made.right.kid as KeyId);
  return isKnown ? kms.create({ algorithm, name: random.uuid() }) : made;
};

/** Destroys a created key that was not recorded. If the log cannot tell, the key stays unused. */
export const destroyUnrecorded = async ({ keys, kms }: SigningKeyDeps, kid: string): Promise<void> => {
  const signingKeys = await keys.refresh();
  if (isLeft(signingKeys) || signingKeys.right.has(kid as KeyId)) return;
  await kms.destroy(kid);
};
