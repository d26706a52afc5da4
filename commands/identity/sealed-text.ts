/** Authenticated encryption of JSON (AES-256-GCM), compressed because it travels in addresses; base64url. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { deflateSync, inflateSync } from 'node:zlib';

const nonceBytes = 12;
const tagBytes = 16;
/** An authorization request whose opaque values are as long as they may be, of characters that compress least. */
export const maxSealedLength = 24_576;
const maxContentLength = 131_072;

/** What was sealed before contents were compressed begins with a brace; zlib with this (RFC 1950). */
const compressedMark = 0x78;

const expanded = (bytes: Buffer): string =>
  (bytes[0] === compressedMark ? inflateSync(bytes, { maxOutputLength: maxContentLength }) : bytes).toString('utf8');

/** `purpose` is authenticated too: a text sealed for one purpose does not open for another. */
export const sealText = (key: Buffer, purpose: string, content: string): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(deflateSync(content)), cipher.final()]);
  return Buffer.concat([nonce, sealed, cipher.getAuthTag()]).toString('base64url');
};

/** Undefined: the text was not sealed with this key and purpose. */
export const unsealText = (key: Buffer, purpose: string, sealed: string): string | undefined => {
  const bytes = sealed.length > maxSealedLength ? Buffer.alloc(0) : Buffer.from(sealed, 'base64url');
  if (bytes.length < nonceBytes + tagBytes) return undefined;
  const tag = bytes.subarray(-tagBytes);
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(purpose)).setAuthTag(tag);
  try {
    const opened = decipher.update(bytes.subarray(nonceBytes, -tagBytes));
    return expanded(Buffer.concat([opened, decipher.final()]));
  } catch {
    return undefined;
  }
};
