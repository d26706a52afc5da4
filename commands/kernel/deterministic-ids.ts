/** Ids and hashes that a retry of the same command makes again. */
import { hash } from 'node:crypto';

export { derivedId } from '../../infra/server/ids/derived-id';

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
