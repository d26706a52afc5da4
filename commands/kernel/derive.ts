/** Ids and hashes that a retry of the same command makes again. */
import { hash } from 'node:crypto';

/** Of this house alone, so that its ids equal nobody else's. */
const namespace = Buffer.from('5e97e700c0de4a11b0a75e97e71d5000', 'hex');

const hyphenated = (hex: string): string =>
  [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');

/** A UUID of version 5 (RFC 9562, section 5.5) over parts that cannot run into each other. */
export const derivedId = (...parts: readonly (string | number)[]): string => {
  const digest = hash('sha1', Buffer.concat([namespace, Buffer.from(JSON.stringify(parts))]), 'buffer');
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x50, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return hyphenated(digest.toString('hex'));
};

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1;

/** What JSON would drop or leave in the order it was written. */
const canonical = (_name: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Map || value instanceof Set) return [...value];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(byName));
};

/** SHA-256, hex, of what a caller asked for, however its fields were ordered. */
export const commandHash = (asked: unknown): string => hash('sha256', JSON.stringify([asked], canonical), 'hex');
