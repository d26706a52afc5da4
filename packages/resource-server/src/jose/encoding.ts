import { isUtf8 } from 'node:buffer';

/** Base64url with one spelling for every value: no padding, no other alphabet, no stray bits in the last character. */
const maxEncodedLength = 65_536;

/** Undefined when it is not how these bytes are written: a token must not have twins that differ in letters only. */
export const decodeBase64url = (text: string): Buffer | undefined => {
  if (text.length === 0 || text.length > maxEncodedLength) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
};

/** JSON objects as signed text holds them: UTF-8, no member twice, not deep. Parsers differ in what they make of the rest. */

export type JsonObject = { readonly [name: string]: unknown };

const maxDepth = 16;

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of text that has been parsed: outside of texts a colon follows a name and nothing else, and backslashes are inside only. */
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

/** Not a number where it is too deep: that equals nothing. */
const countParsedNames = (value: unknown, depth: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > maxDepth) return Number.NaN;
  let names = 0;
  // What was parsed inherits no names that this would meet; lists of names and values would cost more than all else here.
  for (const name in value) names += countParsedNames((value as JsonObject)[name], depth + 1) + 1;
  return Array.isArray(value) ? names - value.length : names;
};

/** Of names that come twice a parser keeps one: then fewer are read than were written. */
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
