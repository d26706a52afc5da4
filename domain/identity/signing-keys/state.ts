/** State of the signing keys. */
import type { TypeOf } from 'io-ts';
import type { Instant } from '../../kernel/codec';
import type { KeyId } from '../ids';
import type { PublicKey } from '../jwk';
import type { SigningAlgorithm, SigningKeyEvent } from './events';

export type SigningKeyStatus = 'created' | 'published' | 'active' | 'retired' | 'revoked';

/** Access tokens are signed by ES256 or EdDSA, ID tokens by RS256 unless their client registered the other one. */
export const keyUses = ['access-token', 'id-token'] as const;
export type KeyUse = (typeof keyUses)[number];

/** A key in the keystore that the log does not know yet. */
export interface NewSigningKey {
  readonly kid: KeyId;
  readonly algorithm: TypeOf<typeof SigningAlgorithm>;
  readonly publicKey: TypeOf<typeof PublicKey>;
  readonly keystore: string;
}

export const keyUseOf = ({ algorithm }: Pick<NewSigningKey, 'algorithm'>): KeyUse =>
  algorithm === 'RS256' ? 'id-token' : 'access-token';

export interface SigningKey extends NewSigningKey {
  readonly status: SigningKeyStatus;
  /** Time of the last status change. */
  readonly since: Instant;
}

/** In order of creation. */
export type SigningKeys = ReadonlyMap<KeyId, SigningKey>;

const withStatus = (
  keys: SigningKeys,
  kid: KeyId,
  { status, since }: { readonly status: SigningKeyStatus; readonly since: Instant },
): SigningKeys => {
  const key = keys.get(kid);
  return key === undefined ? keys : new Map(keys).set(kid, { ...key, status, since });
};

export const evolve = (keys: SigningKeys, { type, data }: SigningKeyEvent): SigningKeys => {
  switch (type) {
    case 'KeyCreated': {
      const { createdAt, ...key } = data;
      return new Map(keys).set(key.kid, { ...key, status: 'created', since: createdAt });
    }
    case 'KeyPublished':
      return withStatus(keys, data.kid, { status: 'published', since: data.publishedAt });
    case 'KeyActivated':
      return withStatus(keys, data.kid, { status: 'active', since: data.activatedAt });
    case 'KeyRetired':
      return withStatus(keys, data.kid, { status: 'retired', since: data.retiredAt });
    case 'KeyRevoked':
      return withStatus(keys, data.kid, { status: 'revoked', since: data.revokedAt });
  }
};

export const keysOfUse = (keys: SigningKeys, use: KeyUse): readonly SigningKey[] =>
  [...keys.values()].filter((key) => keyUseOf(key) === use);

const latestWithStatus = (keys: SigningKeys, use: KeyUse, status: SigningKeyStatus): SigningKey | undefined =>
  keysOfUse(keys, use)
    .filter((key) => key.status === status)
    .at(-1);

export const activeKeyOf = (keys: SigningKeys, use: KeyUse): SigningKey | undefined =>
  latestWithStatus(keys, use, 'active');

/** The published key that becomes active next. */
export const nextKeyOf = (keys: SigningKeys, use: KeyUse): SigningKey | undefined =>
  latestWithStatus(keys, use, 'published');
