/** Validates, canonicalizes and compares JSON values. */

export type JsonFault = 'malformed' | 'too-large';

export type JsonRecord = { readonly [name: string]: unknown };

export const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const maxDepth = 32;

interface ByteBudget {
  bytes: number;
}

const textFault = (value: string, budget: ByteBudget): JsonFault | undefined => {
  budget.bytes -= value.length + 2;
  if (budget.bytes < 0) return 'too-large';
  return value.isWellFormed() ? undefined : 'malformed';
};

const faultWithin = (value: object, budget: ByteBudget, depth: number): JsonFault | undefined => {
  if (depth >= maxDepth) return 'malformed';
  for (const [name, item] of Object.entries(value)) {
    const nameFault = Array.isArray(value) ? undefined : textFault(name, budget);
    const fault = name === '__proto__' ? 'malformed' : (nameFault ?? faultAt(item, budget, depth + 1));
    if (fault !== undefined) return fault;
  }
  return undefined;
};

const faultAt = (value: unknown, budget: ByteBudget, depth: number): JsonFault | undefined => {
  budget.bytes -= 2;
  if (budget.bytes < 0) return 'too-large';
  if (typeof value === 'string') return textFault(value, budget);
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'malformed';
  if (typeof value === 'boolean' || value === null) return undefined;
  return typeof value === 'object' ? faultWithin(value, budget, depth) : 'malformed';
};

/** Undefined if the value is valid JSON of at most about this many bytes. */
export const validateJson = (value: unknown, bytes: number): JsonFault | undefined => faultAt(value, { bytes }, 0);

const sortedRecord = (value: object): string => {
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([name, item]) => `${JSON.stringify(name)}:${canonicalJson(item)}`).join(',')}}`;
};

/** Equal values give equal text, whatever the order of their names. */
export const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  return isRecord(value) ? sortedRecord(value) : String(JSON.stringify(value));
};

export const isJsonEqual = (left: unknown, right: unknown): boolean =>
  left === right ||
  (typeof left === 'object' &&
    typeof right === 'object' &&
    left !== null &&
    right !== null &&
    canonicalJson(left) === canonicalJson(right));
