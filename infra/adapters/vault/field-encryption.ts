/** Field encryption with AES-256-GCM under a subject's key: 12 bytes nonce, ciphertext, 16 bytes tag, as one text. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

const keyObjects = new WeakMap<Buffer, KeyObject>();

/** Key separation: a derived key per use. */
const cipherKey = (key: Buffer): KeyObject => {
  const cached = keyObjects.get(key);
  if (cached !== undefined) return cached;
  const derived = createSecretKey(createHmac('sha256', key).update('septet:field').digest());
  keyObjects.set(key, derived);
  return derived;
};

/** `context`: location of the field, authenticated: moved ciphertext does not decrypt. */
export const encryptField = (key: Buffer, context: string, plain: string): string => {
  const nonce = randomBytes(nonceBytes);
  const sealing = createCipheriv(algorithm, cipherKey(key), nonce).setAAD(Buffer.from(context));
  return Buffer.concat([nonce, sealing.update(plain, 'utf8'), sealing.final(), sealing.getAuthTag()]).toString(
    'base64url',
  );
};

/** Undefined: changed, moved, or encrypted with another key. */
export const decryptField = (key: Buffer, context: string, sealed: string): string | undefined => {
  const bytes = Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const opening = createDecipheriv(algorithm, cipherKey(key), bytes.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
    .setAAD(Buffer.from(context))
    .setAuthTag(bytes.subarray(-tagBytes));
  try {
    return opening.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + opening.final('utf8');
  } catch {
    return undefined;
  }
};

/** Combines keys: the result is lost with any of them. */
export const combineKeys = (keys: readonly Buffer[]): Buffer =>
  keys.length === 1
    ? (keys[0] as Buffer)
    : keys.reduce((joint, key) => createHmac('sha256', joint).update(key).digest(), Buffer.alloc(32));

/** A UUID (RFC 9562 version 8) that replaces one derived from secrets; without the key it reveals nothing. */
export const pseudonymousId = (key: Buffer, id: string): string => {
  const bytes = createHmac('sha256', key).update(`septet:id:${id}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
};
