/** The master key. Derived keys are labelled by purpose, so none can replace another. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import * as t from 'io-ts';

export type MasterKey = Buffer;

const keyBytes = 32;

const masterKeyOf = (written: unknown): MasterKey | undefined => {
  if (typeof written !== 'string') return undefined;
  const key = Buffer.from(written, 'base64url');
  return key.length === keyBytes && key.toString('base64url') === written ? key : undefined;
};

/** As in configuration. */
export const MasterKeyText = new t.Type<MasterKey, MasterKey, unknown>(
  '32 bytes in base64url',
  (value): value is MasterKey => Buffer.isBuffer(value) && value.length === keyBytes,
  (value, context) => {
    const key = masterKeyOf(value);
    return key === undefined ? t.failure(value, context) : t.success(key);
  },
  t.identity,
);

const hkdf = (masterKey: MasterKey, use: string, label: string): Buffer =>
  createHmac('sha256', masterKey).update(`septet:${use}:${label}`).digest();

export const deriveSecret = (masterKey: MasterKey, label: string): string =>
  hkdf(masterKey, 'secret', label).toString('base64url');

export interface Wrapped {
  readonly iv: string;
  readonly ciphertext: string;
  readonly tag: string;
}

const cipher = 'aes-256-gcm';
const wrappingKey = (masterKey: MasterKey): Buffer => hkdf(masterKey, 'wrap', 'signing-keys');

/** The name is authenticated: a wrapped key cannot take another's place. */
export const wrap = (masterKey: MasterKey, name: string, plain: Buffer): Wrapped => {
  const iv = randomBytes(12);
  const sealing = createCipheriv(cipher, wrappingKey(masterKey), iv).setAAD(Buffer.from(name));
  const ciphertext = Buffer.concat([sealing.update(plain), sealing.final()]).toString('base64url');
  return { iv: iv.toString('base64url'), ciphertext, tag: sealing.getAuthTag().toString('base64url') };
};

/** Throws for changed data or another master key. */
export const unwrap = (masterKey: MasterKey, name: string, { iv, ciphertext, tag }: Wrapped): Buffer => {
  const options = { authTagLength: 16 };
  const opening = createDecipheriv(cipher, wrappingKey(masterKey), Buffer.from(iv, 'base64url'), options)
    .setAAD(Buffer.from(name))
    .setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([opening.update(Buffer.from(ciphertext, 'base64url')), opening.final()]);
};
