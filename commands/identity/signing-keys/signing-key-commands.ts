/** Signing key commands without a request (from the job and the CLI), key records, and key creation. */
import { type Either, isLeft, isRight } from 'fp-ts/Either';
import { type KeyId, platformTenant } from '../../../domain/identity/ids';
import {
  type SigningKeyCommand,
  type SigningKeyRejection,
  signingKey,
} from '../../../domain/identity/signing-keys/decider';
import { type SigningKeyEvent, signingKeysStream } from '../../../domain/identity/signing-keys/events';
import {
  type KeyUse,
  keysOfUse,
  type NewSigningKey,
  type SigningKey,
  type SigningKeys,
} from '../../../domain/identity/signing-keys/state';
import type {
  EcPublicJwk,
  Kms,
  KmsFault,
  KmsRefusal,
  NewKey,
  OkpPublicJwk,
  PublicJwk,
  RsaPublicJwk,
  SigningAlgorithm,
} from '../../../infra/ports/kms';
import type { CommandDeps } from '../../kernel/command-spec';
import { handle } from '../../kernel/handle';
import type { HandledCommand, Refusal } from '../../kernel/handle-request';
import type { SigningKeyCache } from './signing-key-cache';

export interface SigningKeyDeps extends CommandDeps {
  readonly kms: Kms;
  readonly keys: SigningKeyCache;
  /** Algorithm of new keys of access tokens. */
  readonly algorithm: AccessTokenAlgorithm;
}

/** Access tokens are short with them and verified fast; RS256 is for ID tokens, whose clients expect it. */
export type AccessTokenAlgorithm = Exclude<SigningAlgorithm, 'RS256'>;

export const algorithmFor = ({ algorithm }: Pick<SigningKeyDeps, 'algorithm'>, use: KeyUse): SigningAlgorithm =>
  use === 'id-token' ? 'RS256' : algorithm;

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
  const { kid, alg: algorithm, use: _use, ...publicKey } = keystoreKeys;
  return { kid: kid as KeyId, algorithm, publicKey, keystore };
};

const signingUse = 'sig';

/** Undefined: the record is not a valid key and verifies nothing. */
export const recordedJwkOf = ({ kid, publicKey }: SigningKey): PublicJwk | undefined => {
  const { kty, crv, x, y, n, e } = publicKey;
  if (kty === 'RSA' && n !== undefined && e !== undefined)
    return { kty, n, e, kid, alg: 'RS256', use: signingUse } satisfies RsaPublicJwk;
  if (kty === 'EC' && crv === 'P-256' && x !== undefined && y !== undefined)
    return { kty, crv, x, y, kid, alg: 'ES256', use: signingUse } satisfies EcPublicJwk;
  if (kty === 'OKP' && crv === 'Ed25519' && x !== undefined)
    return { kty, crv, x, kid, alg: 'EdDSA', use: signingUse } satisfies OkpPublicJwk;
  return undefined;
};

export type CreatedKey = Either<KmsFault | KmsRefusal, PublicJwk>;

const namePrefixes: { readonly [use in KeyUse]: string } = { 'access-token': '', 'id-token': 'id-token-' };

/** Named by the number of keys of the use, so that concurrent processes create the same key. */
export const nextKey = (deps: Pick<SigningKeyDeps, 'algorithm'>, signingKeys: SigningKeys, use: KeyUse): NewKey => {
  const number = String(keysOfUse(signingKeys, use).length + 1).padStart(6, '0');
  return { algorithm: algorithmFor(deps, use), name: `${namePrefixes[use]}${number}` };
};

export const createNextKey = async (
  deps: SigningKeyDeps,
  signingKeys: SigningKeys,
  use: KeyUse,
): Promise<CreatedKey> => {
  const { kms, random } = deps;
  const wanted = nextKey(deps, signingKeys, use);
  const made = await kms.create(wanted);
  // The name belongs to a former key.
  const isKnown = isRight(made) && signingKeys.has(made.right.kid as KeyId);
  return isKnown ? kms.create({ ...wanted, name: random.uuid() }) : made;
};

/** Destroys a created key that was not recorded. If the log does not answer, the key stays unused. */
export const destroyUnrecorded = async ({ keys, kms }: SigningKeyDeps, kid: string): Promise<void> => {
  const signingKeys = await keys.refresh();
  if (isLeft(signingKeys) || signingKeys.right.has(kid as KeyId)) return;
  await kms.destroy(kid);
};
