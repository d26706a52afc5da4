/**
 * Stored form of a session: under a hash of its id, encrypted with a key derived from the id and a secret of the gateways. Neither the
 * store nor a cookie alone suffices to read a session.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, finite, record, text } from '../../../domain/kernel/codec';

/** What a session requests its tokens with. */
const ClientGrant = record('ClientGrant', {
  kind: t.literal('client'),
  clientId: text('ClientId', { maxLength: 512 }),
  clientSecret: text('ClientSecret', { maxLength: 512 }),
});
/** Without a secret: each request has the cookie of the person's own session. */
const PersonGrant = record('PersonGrant', {
  kind: t.literal('person'),
  clientId: text('ClientId', { maxLength: 512 }),
});
const SessionGrant = t.union([ClientGrant, PersonGrant], 'SessionGrant');
export type ClientGrant = t.TypeOf<typeof ClientGrant>;
export type SessionGrant = t.TypeOf<typeof SessionGrant>;

const BffSession = record('Session', {
  grant: SessionGrant,
  accessToken: text('AccessToken', { maxLength: 8_192 }),
  /** These times are milliseconds since 1970. */
  tokenIssuedAt: finite,
  tokenExpiresAt: finite,
  beganAt: finite,
});
export type BffSession = t.TypeOf<typeof BffSession>;

const algorithm = 'aes-256-gcm';
const tagBytes = 16;
const nonceBytes = 12;

export const newSessionId = (): string => randomBytes(32).toString('base64url');

export const storageKeyOf = (id: string): string => createHash('sha256').update(`session ${id}`).digest('base64url');

const encryptionKeyOf = (id: string, secret: KeyObject): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, Buffer.from(id), 'septet console session v1', 32));

export const encryptSession = (session: BffSession, id: string, secret: KeyObject): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, encryptionKeyOf(id, secret), nonce).setAAD(Buffer.from(storageKeyOf(id)));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(session)), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
};

const decrypt = (value: string, id: string, secret: KeyObject): unknown => {
  const bytes = Buffer.from(value, 'base64url');
  const [nonce, tag] = [bytes.subarray(0, nonceBytes), bytes.subarray(nonceBytes, nonceBytes + tagBytes)];
  const decipher = createDecipheriv(algorithm, encryptionKeyOf(id, secret), nonce, { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(storageKeyOf(id))).setAuthTag(tag);
  const plain = Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]);
  return JSON.parse(plain.toString('utf8'));
};

/** Left: altered, encrypted with another secret, or written by another version. */
export const decryptSession = (value: string, id: string, secret: KeyObject): Either<'unreadable', BffSession> => {
  try {
    const session = decodeStored(BffSession, decrypt(value, id, secret));
    return isLeft(session) ? left('unreadable') : right(session.right);
  } catch {
    return left('unreadable');
  }
};
