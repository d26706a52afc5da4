/** Signing keys: after the first of a use, exactly one is active. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { KeyId } from '../ids';
import { type SigningKeyEvent, signingKeys } from './events';
import { mayActivate } from './lifetimes';
import {
  activeKeyOf,
  evolve,
  keyUseOf,
  type NewSigningKey,
  nextKeyOf,
  type SigningKey,
  type SigningKeys,
} from './state';

/** Adopts existing keys of a keystore that the log does not know, all of one use. */
export interface AdoptKeys {
  readonly type: 'AdoptKeys';
  readonly active: NewSigningKey;
  readonly earlier: readonly NewSigningKey[];
  readonly at: Instant;
}

export interface PublishKeys {
  readonly type: 'PublishKeys';
  /** One of each use that rotates. */
  readonly keys: readonly NewSigningKey[];
  readonly at: Instant;
}

export interface ChangeKeyStatus {
  readonly type: 'ActivateKey' | 'RetireKey';
  readonly kid: KeyId;
  readonly at: Instant;
}

export interface RevokeKey {
  readonly type: 'RevokeKey';
  readonly kid: KeyId;
  readonly reason: string;
  /** Becomes active when the active key is revoked. */
  readonly replacement: NewSigningKey | null;
  readonly at: Instant;
}

/** The active key is unavailable, for example after a keystore change. Its signatures stay valid. */
export interface ReplaceKey {
  readonly type: 'ReplaceKey';
  readonly kid: KeyId;
  readonly replacement: NewSigningKey;
  readonly at: Instant;
}

export type SigningKeyCommand = AdoptKeys | PublishKeys | ChangeKeyStatus | RevokeKey | ReplaceKey;

export type SigningKeyRejection =
  | 'key-spent'
  | 'key-too-new'
  | 'key-unknown'
  | 'replacement-missing'
  | 'replacement-of-another-use'
  | 'rotation-under-way'
  | 'successor-missing';

type Decision = Either<Rejection<SigningKeyRejection>, readonly SigningKeyEvent[]>;
type Events = readonly SigningKeyEvent[];

const published = (key: NewSigningKey, at: Instant): Events => [
  { type: 'KeyCreated', data: { ...key, createdAt: at } },
  { type: 'KeyPublished', data: { kid: key.kid, publishedAt: at } },
];

const activated = (kid: KeyId, activatedAt: Instant): SigningKeyEvent => ({
  type: 'KeyActivated',
  data: { kid, activatedAt },
});
const retired = (kid: KeyId, retiredAt: Instant): SigningKeyEvent => ({ type: 'KeyRetired', data: { kid, retiredAt } });

const keySpent = () => reject('key-spent', 'A key that was retired or revoked never signs again.');

const publish = ({ keys: wanted, at }: PublishKeys, keys: SigningKeys): Decision => {
  const unknown = wanted.filter(({ kid }) => !keys.has(kid));
  if (unknown.some((key) => nextKeyOf(keys, keyUseOf(key)) !== undefined))
    return reject('rotation-under-way', 'Another key is published and about to sign: wait for it, or retire it.');
  return right(unknown.flatMap((key) => published(key, at)));
};

const withStatusChange = (key: SigningKey, at: Instant, keys: SigningKeys): Events => {
  const before = activeKeyOf(keys, keyUseOf(key));
  return [...(before === undefined ? [] : [retired(before.kid, at)]), activated(key.kid, at)];
};

const activate = (key: SigningKey, at: Instant, keys: SigningKeys): Decision => {
  if (key.status === 'active') return right([]);
  if (key.status === 'retired' || key.status === 'revoked') return keySpent();
  if (activeKeyOf(keys, keyUseOf(key)) !== undefined && !mayActivate(key, at))
    return reject('key-too-new', 'Verifiers may not know the key yet; five minutes after its publication they do.');
  return right(withStatusChange(key, at, keys));
};

const adopt = ({ active, earlier, at }: AdoptKeys, keys: SigningKeys): Decision => {
  // Another process has adopted keys before.
  if (activeKeyOf(keys, keyUseOf(active)) !== undefined) return right([]);
  const existing = keys.get(active.kid);
  if (existing !== undefined) return activate(existing, at, keys);
  const isBefore = (key: NewSigningKey): boolean => key.kid !== active.kid && !keys.has(key.kid);
  const before = earlier.filter((key) => isBefore(key) && keyUseOf(key) === keyUseOf(active));
  const counted = before.flatMap((key) => [...published(key, at), retired(key.kid, at)]);
  return right([...counted, ...published(active, at), activated(active.kid, at)]);
};

const retire = (key: SigningKey, at: Instant, keys: SigningKeys): Decision => {
  if (key.status === 'retired' || key.status === 'revoked') return right([]);
  if (key.status !== 'active') return right([retired(key.kid, at)]);
  const next = nextKeyOf(keys, keyUseOf(key));
  if (next === undefined || !mayActivate(next, at))
    return reject('successor-missing', 'Rotate first: the next key signs five minutes later, and this one is retired.');
  return right(withStatusChange(next, at, keys));
};

const otherUse = () =>
  reject(
    'replacement-of-another-use',
    'Access tokens and ID tokens have keys of their own: neither replaces the other.',
  );

const revoke = ({ kid, reason, replacement, at }: RevokeKey, key: SigningKey, keys: SigningKeys): Decision => {
  const { status } = key;
  if (status === 'revoked') return right([]);
  const revoked: SigningKeyEvent = { type: 'KeyRevoked', data: { kid, revokedAt: at, reason } };
  if (status !== 'active') return right([revoked]);
  if (replacement === null || keys.has(replacement.kid))
    return reject('replacement-missing', 'The key began to sign a moment ago: try again.');
  if (keyUseOf(replacement) !== keyUseOf(key)) return otherUse();
  return right([revoked, ...published(replacement, at), activated(replacement.kid, at)]);
};

const replace = ({ replacement, at }: ReplaceKey, key: SigningKey, keys: SigningKeys): Decision => {
  if (key.status !== 'active') return right([]);
  if (keys.has(replacement.kid)) return keySpent();
  if (keyUseOf(replacement) !== keyUseOf(key)) return otherUse();
  return right([...published(replacement, at), retired(key.kid, at), activated(replacement.kid, at)]);
};

const decide = (command: SigningKeyCommand, keys: SigningKeys): Decision => {
  if (command.type === 'AdoptKeys') return adopt(command, keys);
  if (command.type === 'PublishKeys') return publish(command, keys);
  const key = keys.get(command.kid);
  if (key === undefined) return reject('key-unknown', 'There is no such signing key.');
  switch (command.type) {
    case 'ActivateKey':
      return activate(key, command.at, keys);
    case 'RetireKey':
      return retire(key, command.at, keys);
    case 'RevokeKey':
      return revoke(command, key, keys);
    case 'ReplaceKey':
      return replace(command, key, keys);
  }
};

export const signingKey: Decider<SigningKeyCommand, SigningKeys, SigningKeyEvent, SigningKeyRejection> = {
  family: signingKeys,
  initial: new Map(),
  evolve,
  decide,
};
