/** Ids that are made again of the same parts, on both sides. */
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

/** The job that a process enqueues for an event: its first when `ordinal` is left out. */
export const jobKeyOf = (process: string, eventId: string, ordinal = 0): string =>
  derivedId('job', process, eventId, ordinal);
