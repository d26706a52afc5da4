/** Authenticated encryption of short texts (AES-256-GCM), base64url. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const nonceBytes = 12;
const tagBytes = 16;
const maxSealedLength = 16_384;

/** `purpose` is authenticated too: a text sealed for one purpose does not open for another. */
export const sealText = (key: Buffer, purpose: string, content: string): string => {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(purpose));
  const sealed = Buffer.concat([cipher.update(content, 'utf8'), cipher.final()]);
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
    return Buffer.concat([opened, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
};
