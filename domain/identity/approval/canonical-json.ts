/** The one spelling of a JSON value that hashes are made of (RFC 8785, JSON Canonicalization Scheme). */

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Sorting without a comparison goes by UTF-16 code units, as section 3.2.3 has it. */
const canonicalObject = (value: { readonly [key: string]: unknown }): string | undefined => {
  const members: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const member = canonicalJson(value[key]);
    if (member === undefined || !key.isWellFormed()) return undefined;
    members.push(`${JSON.stringify(key)}:${member}`);
  }
  return `{${members.join(',')}}`;
};

const canonicalArray = (value: readonly unknown[]): string | undefined => {
  const items = value.map(canonicalJson);
  return items.includes(undefined) ? undefined : `[${items.join(',')}]`;
};

/** Undefined: no JSON of RFC 7493, as numbers without end and texts with half a character. */
export const canonicalJson = (value: unknown): string | undefined => {
  if (Array.isArray(value)) return canonicalArray(value);
  if (isObject(value)) return canonicalObject(value);
  // Both are written as ECMAScript does (section 3.2.2).
  if (typeof value === 'string') return value.isWellFormed() ? JSON.stringify(value) : undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? JSON.stringify(value) : undefined;
  return value === null || typeof value === 'boolean' ? String(value) : undefined;
};
