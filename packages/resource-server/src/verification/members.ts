/** JSON objects as signed text holds them: UTF-8, no member twice, not deep. Parsers differ in what they make of the rest. */
import { isUtf8 } from 'node:buffer';

export type Members = { readonly [name: string]: unknown };

const deepest = 16;

export const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Of text that has been parsed: outside of texts a colon follows a name and nothing else, and backslashes are inside only. */
const writtenNames = (text: string): number => {
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
const readNames = (value: unknown, depth: number): number => {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > deepest) return Number.NaN;
  let names = 0;
  // What was parsed inherits no names that this would meet; lists of names and values would cost more than all else here.
  for (const name in value) names += readNames((value as Members)[name], depth + 1) + 1;
  return Array.isArray(value) ? names - value.length : names;
};

/** Of names that come twice a parser keeps one: then fewer are read than were written. */
export const membersOf = (bytes: Buffer): Members | undefined => {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return isMembers(value) && readNames(value, 0) === writtenNames(text) ? value : undefined;
  } catch {
    return undefined;
  }
};
