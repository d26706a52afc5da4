/** Keys and facts about them that tests speak of. */
import type { KeyId } from '../../../domain/identity/ids';
import type { SigningKeyCommand } from '../../../domain/identity/signing-keys/decider';
import type { SigningKeyEvent } from '../../../domain/identity/signing-keys/events';
import type { NewSigningKey } from '../../../domain/identity/signing-keys/state';
import type { Instant } from '../../../domain/kernel/codec';
import { plusSeconds } from '../../../domain/kernel/instant';
import { noon } from '../examples';

export const kidOf = (name: string): KeyId => name.padEnd(43, '_') as KeyId;

export const newIdTokenKey = (name: string): NewSigningKey => ({
  kid: kidOf(name),
  algorithm: 'RS256',
  publicKey: { kty: 'RSA', n: 'n'.repeat(342), e: 'AQAB' },
  keystore: 'local',
});

export const newKey = (name: string, keystore = 'local'): NewSigningKey => ({
  kid: kidOf(name),
  algorithm: 'ES256',
  publicKey: { kty: 'EC', crv: 'P-256', x: 'x'.repeat(43), y: 'y'.repeat(43) },
  keystore,
});

export const later = (seconds: number): Instant => plusSeconds(noon, seconds);

type Event = SigningKeyEvent;
export const created = (name: string, at = noon): Event => ({
  type: 'KeyCreated',
  data: { ...newKey(name), createdAt: at },
});
export const published = (name: string, at = noon): Event => ({
  type: 'KeyPublished',
  data: { kid: kidOf(name), publishedAt: at },
});
export const activated = (name: string, at = noon): Event => ({
  type: 'KeyActivated',
  data: { kid: kidOf(name), activatedAt: at },
});
export const retired = (name: string, at = noon): Event => ({
  type: 'KeyRetired',
  data: { kid: kidOf(name), retiredAt: at },
});
export const revoked = (name: string, at = noon): Event => ({
  type: 'KeyRevoked',
  data: { kid: kidOf(name), revokedAt: at, reason: 'Leaked.' },
});

export const first = [created('one'), published('one'), activated('one')] as const;
export const next = [created('two'), published('two')] as const;

export const adopt = (active: string, ...earlier: readonly string[]): SigningKeyCommand => ({
  type: 'AdoptKeys',
  active: newKey(active),
  earlier: earlier.map((name) => newKey(name)),
  at: noon,
});
export const publish = (name: string): SigningKeyCommand => ({ type: 'PublishKeys', keys: [newKey(name)], at: noon });
export const turn = (type: 'ActivateKey' | 'RetireKey', name: string, seconds = 0): SigningKeyCommand => ({
  type,
  kid: kidOf(name),
  at: later(seconds),
});
export const revoke = (name: string, replacement?: string): SigningKeyCommand => ({
  type: 'RevokeKey',
  kid: kidOf(name),
  reason: 'Leaked.',
  replacement: replacement === undefined ? null : newKey(replacement),
  at: noon,
});
export const replace = (name: string, by: string): SigningKeyCommand => ({
  type: 'ReplaceKey',
  kid: kidOf(name),
  replacement: newKey(by),
  at: noon,
});
