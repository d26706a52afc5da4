/** Ids and hashes that a retry of the same command makes again. */
import { hash } from 'node:crypto';

/** Private namespace of this system. */
const namespace = Buffer.from('5e97e700c0de4a11b0a75e97e71d5000', 'hex');

/** A UUID of version 5 (RFC 9562, section 5.5) over parts that cannot run into each other. */
export const derivedId = (...parts: readonly (string | number)[]): string => {
  const digest = hash('sha1', Buffer.concat([namespace, Buffer.from(JSON.stringify(parts))]), 'hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 0x3) | 0x8).toString(16);
  const [low, middle, high] = [digest.slice(0, 8), digest.slice(8, 12), digest.slice(13, 16)];
  return `${low}-${middle}-5${high}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
};

/** JSON with the fields of every object in order, and of what JSON would drop. Hand-written: each command waits for it. */
const canonical = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'bigint') return `"${value}"`;
  if (typeof value !== 'object' || value instanceof Date) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value instanceof Map || value instanceof Set) return canonical([...value]);
  const present = Object.entries(value).filter(([, field]) => field !== undefined);
  const sorted = present.sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${sorted.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join()}}`;
};

/** SHA-256 of a command, in hex. The order of fields does not matter. */
export const commandHash = (command: unknown): string => hash('sha256', canonical(command), 'hex');
