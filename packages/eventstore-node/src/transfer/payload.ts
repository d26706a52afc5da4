/** An event's bytes in a line: as JSON where that gives the same bytes back, as base64 otherwise. */
import { isUtf8 } from 'node:buffer';

/** JSON.stringify recurses: a text nested deeper than this might be written here and refused where it is read. */
const deepest = 500;

const isShallow = (text: string): boolean => {
  if (text.length <= deepest) return true;
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    // Brackets inside of strings count as well: that costs readability, never bytes.
    if (code === 0x5b || code === 0x7b) depth += 1;
    else if (code === 0x5d || code === 0x7d) depth -= 1;
    if (depth > deepest) return false;
  }
  return true;
};

const isFaithful = (text: string): boolean => {
  try {
    return JSON.stringify(JSON.parse(text)) === text;
  } catch {
    return false;
  }
};

/** The JSON text of bytes that are exactly what JSON.stringify writes. */
const readable = (bytes: Buffer): string | undefined => {
  if (bytes.length === 0 || !isUtf8(bytes)) return undefined;
  const text = bytes.toString('utf8');
  return isShallow(text) && isFaithful(text) ? text : undefined;
};

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A field of a line: `"name":…` or `"nameBase64":"…"`. */
export const payloadField = (name: string, bytes: Uint8Array, mayBeJson: boolean): string => {
  const buffer = asBuffer(bytes);
  const text = mayBeJson ? readable(buffer) : undefined;
  return text === undefined ? `"${name}Base64":"${buffer.toString('base64')}"` : `"${name}":${text}`;
};

const base64Shape = /^[A-Za-z0-9+/]*={0,2}$/;

/** Undefined when it is nested deeper than a stack is deep. */
const textOf = (value: unknown): Buffer | undefined => {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch {
    return undefined;
  }
};

/** Undefined when neither field or both are there, or one is not as it should be. */
export const payloadIn = (line: Readonly<Record<string, unknown>>, name: string): Buffer | undefined => {
  const encoded = line[`${name}Base64`];
  if (Object.hasOwn(line, name)) return encoded === undefined ? textOf(line[name]) : undefined;
  if (typeof encoded !== 'string' || encoded.length % 4 !== 0 || !base64Shape.test(encoded)) return undefined;
  return Buffer.from(encoded, 'base64');
};
