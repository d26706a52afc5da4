/** Strict base64url and JSON. Base64url has one spelling per value: no padding, no stray bits. */
import { isUtf8 } from 'node:buffer';

const maxEncodedLength = 65_536;

/** Undefined: not the canonical encoding; a token must have one spelling. */
export const decodeBase64url = (text: string): Buffer | undefined => {
  if (text.length === 0 || text.length > maxEncodedLength) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** JSON objects of signed text: UTF-8, no duplicate members, bounded depth, because parsers differ in these cases. */

export type JsonObject = { readonly [name: string]: unknown };

const maxDepth = 16;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In valid JSON, colons outside of strings follow names only. */
const countWrittenNames = (text: string): number => {
  let names = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text.charCodeAt(at);
    if (letter === 0x22) isInText = !isInText;
    else if (letter === 0x5c) at += 1;
    else if (letter === 0x3a && !isInText) names += 1;
  }
  return names;
};

/** NaN beyond the depth limit, which equals nothing. */
const countParsedNames = (value: unknown, depth: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > maxDepth) return Number.NaN;
  let names = 0;
  // `for in` is safe on parsed objects and much cheaper than entries.
  for (const name in value) names += countParsedNames((value as JsonObject)[name], depth + 1) + 1;
  return Array.isArray(value) ? names - value.length : names;
};

/** Duplicate members: fewer are parsed than written. */
export const parseJsonObject = (bytes: Buffer): JsonObject | undefined => {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && countParsedNames(value, 0) === countWrittenNames(text) ? value : undefined;
  } catch {
    return undefined;
  }
};
