/** State of the signing keys. */
import type { TypeOf } from 'io-ts';
import type { Instant } from '../../kernel/codec';
import type { KeyId } from '../ids';
import type { PublicKey } from '../jwk';
import type { SigningAlgorithm, SigningKeyEvent } from './events';

export type SigningKeyStatus = 'created' | 'published' | 'active' | 'retired' | 'revoked';

/** A key in the keystore that the log does not know yet. */
export interface NewSigningKey {
  readonly kid: KeyId;
  readonly algorithm: TypeOf<typeof SigningAlgorithm>;
  readonly publicKey: TypeOf<typeof PublicKey>;
  readonly keystore: string;
}

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

const latestWithStatus = (keys: SigningKeys, status: SigningKeyStatus): SigningKey | undefined =>
  [...keys.values()].filter((key) => key.status === status).at(-1);

export const activeKeyOf = (keys: SigningKeys): SigningKey | undefined => latestWithStatus(keys, 'active');

/** The published key that becomes active next. */
export const nextKeyOf = (keys: SigningKeys): SigningKey | undefined => latestWithStatus(keys, 'published');
