/**
 * How the query side tells Postgres for whom it asks. The setting that policies look at can be set by anybody who can run SQL, so it
 * counts only with a seal, made with a key that no SQL of the reader's can see.
 */
import { createHash, createHmac } from 'node:crypto';

/** Who may connect as the reader may read as any tenant, so the key follows from the password; the password not from the key. */
export const sealingKey = (readerPassword: string): Buffer =>
  createHmac('sha256', readerPassword).update('septet tenant seal').digest();

const hashed = (...parts: readonly (Buffer | string)[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** Hashed twice, as the function in the database does, which has no HMAC. */
export const sealedTenant = (key: Buffer, tenantId: string): string =>
  `${tenantId}:${hashed(key, hashed(key, tenantId)).toString('hex')}`;

export const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);
