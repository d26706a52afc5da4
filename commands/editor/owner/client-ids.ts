/** Ids of clients: made by chance for engines, and of what is known for callers that have none. */
import { createHash } from 'node:crypto';
import type { ClientId } from '../../../domain/editor/ids';
import type { Random } from '../../../infra/ports/random';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const length = 10;

const inDigits = (bytes: Buffer): ClientId => {
  let value = bytes.readBigUInt64BE();
  let id = '';
  for (let place = 0; place < length; place += 1) {
    id += digits.charAt(Number(value % 62n));
    value /= 62n;
  }
  return id as ClientId;
};

export const newClientId = (random: Random): ClientId => inDigits(Buffer.from(random.token(8), 'base64url'));

/** The same for the same parts: a caller without an engine is one client of a document by its principal. */
export const derivedClientId = (...parts: readonly string[]): ClientId =>
  inDigits(createHash('sha256').update(JSON.stringify(parts)).digest());
