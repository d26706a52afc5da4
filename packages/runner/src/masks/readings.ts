/**
 * How programs print a value: each reading undoes one way of encoding, wherever it is used, so that a value is found whichever of its
 * characters a program has encoded. Bytes are those of UTF-8.
 */

import { base64Gap, type GapLength, hexadecimalGap } from './line-gaps';

/** One encoded piece of text: its length, and the bytes that it stands for. */
export interface Token {
  readonly length: number;
  readonly bytes: readonly number[];
}

/** Which patterns are looked for: a text that is read as it is has others than one that is read as base64. */
export type PatternKind = 'text' | 'base64' | 'hexadecimal';

export interface Reading {
  readonly kind: PatternKind;
  /** Without any of these a text has nothing to undo. Left out: every text is read so. */
  readonly needs?: readonly string[];
  /** Bytes with which an encoded piece begins. */
  readonly triggers?: readonly number[];
  /** By byte: what it stands for. */
  readonly table: Uint8Array;
  /** Of what lies between the digits of one value. */
  readonly gap?: GapLength;
  /** Undefined: the byte stands for itself. `incomplete`: the text ends within the piece. */
  readonly token?: (bytes: Uint8Array, at: number) => Token | 'incomplete' | undefined;
}

const codeOf = (character: string): number => character.charCodeAt(0);

const identity = (changes: { readonly [character: string]: number } = {}): Uint8Array => {
  const table = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const [character, byte] of Object.entries(changes)) table[codeOf(character)] = byte;
  return table;
};

const asItIs = identity();

/** Base64 with the letters of URLs, and over several lines. */
const base64: Reading = {
  kind: 'base64',
  table: identity({ '-': codeOf('+'), _: codeOf('/') }),
  gap: base64Gap,
};

/** Hexadecimal in either case, with separators between bytes. */
export const hexadecimal: Reading = {
  kind: 'hexadecimal',
  table: identity(Object.fromEntries([...'ABCDEF'].map((digit) => [digit, codeOf(digit.toLowerCase())]))),
  gap: hexadecimalGap,
};

/** By byte; -1: no digit. */
const hexDigits = Int8Array.from({ length: 256 }, (_, byte) => {
  const digit = Number.parseInt(String.fromCharCode(byte), 16);
  return Number.isNaN(digit) ? -1 : digit;
});

/** The number of so many hexadecimal digits; undefined: others are there. */
const hexNumber = (bytes: Uint8Array, at: number, digits: number): number | 'incomplete' | undefined => {
  let number = 0;
  for (let index = at; index < at + digits; index += 1) {
    if (index >= bytes.length) return 'incomplete';
    const digit = hexDigits[bytes[index] as number] as number;
    if (digit < 0) return undefined;
    number = number * 16 + digit;
  }
  return number;
};

const percentToken: Reading['token'] = (bytes, at) => {
  if (bytes[at] !== codeOf('%')) return undefined;
  const byte = hexNumber(bytes, at + 1, 2);
  return typeof byte === 'number' ? { length: 3, bytes: [byte] } : byte;
};

/** RFC 3986, section 2.1, whichever characters a program leaves as they are. */
const percent: Reading = {
  kind: 'text',
  table: asItIs,
  needs: ['%'],
  triggers: [codeOf('%')],
  token: percentToken,
};

/** `application/x-www-form-urlencoded`. */
const form: Reading = {
  kind: 'text',
  table: asItIs,
  needs: ['+'],
  triggers: [codeOf('+'), codeOf('%')],
  token: (bytes, at) => (bytes[at] === codeOf('+') ? { length: 1, bytes: [codeOf(' ')] } : percentToken(bytes, at)),
};

const utf8 = (text: string): readonly number[] => [...Buffer.from(text, 'utf8')];

const escapes: { readonly [character: string]: string } = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
};

/** A backslash and one character, by the character. */
const escapeTokens: readonly (Token | undefined)[] = Array.from({ length: 128 }, (_, byte) => {
  const escaped = escapes[String.fromCharCode(byte)];
  return { length: 2, bytes: escaped === undefined ? [byte] : utf8(escaped) };
});

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

/** `\u00e9`, or two of them for one character. */
const unicodeToken = (bytes: Uint8Array, at: number): Token | 'incomplete' | undefined => {
  const code = hexNumber(bytes, at + 2, 4);
  if (typeof code !== 'number') return code;
  if (!isHighSurrogate(code)) return { length: 6, bytes: utf8(String.fromCharCode(code)) };
  if (at + 7 >= bytes.length) return 'incomplete';
  if (bytes[at + 6] !== codeOf('\\') || bytes[at + 7] !== codeOf('u')) return undefined;
  const low = hexNumber(bytes, at + 8, 4);
  return typeof low === 'number' ? { length: 12, bytes: utf8(String.fromCharCode(code, low)) } : low;
};

const octalToken = (bytes: Uint8Array, at: number): Token | undefined => {
  const digits = /^[0-3][0-7]{2}/.exec(String.fromCharCode(...bytes.subarray(at + 1, at + 4)))?.[0];
  return digits === undefined ? undefined : { length: 4, bytes: [Number.parseInt(digits, 8)] };
};

/** JSON, strings of programming languages, and shells: a backslash before the character, or a code of it. */
const backslash: Reading = {
  kind: 'text',
  table: asItIs,
  needs: ['\\'],
  triggers: [codeOf('\\')],
  token: (bytes, at) => {
    if (bytes[at] !== codeOf('\\')) return undefined;
    const next = bytes[at + 1];
    if (next === undefined) return 'incomplete';
    if (next === codeOf('u')) return unicodeToken(bytes, at);
    if (next === codeOf('x')) {
      const byte = hexNumber(bytes, at + 2, 2);
      return typeof byte === 'number' ? { length: 4, bytes: [byte] } : byte;
    }
    if (next >= codeOf('0') && next <= codeOf('9')) return octalToken(bytes, at);
    return escapeTokens[next];
  },
};

const entities: { readonly [name: string]: string } = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  num: '#',
  dollar: '$',
  percnt: '%',
  lpar: '(',
  rpar: ')',
  ast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  equals: '=',
  quest: '?',
  commat: '@',
  lsqb: '[',
  bsol: '\\',
  rsqb: ']',
  Hat: '^',
  lowbar: '_',
  grave: '`',
  lcub: '{',
  verbar: '|',
  rcub: '}',
};
/** Zeros before a number count. */
const longestEntity = 32;

/** Browsers read these without a semicolon as well, and every number. */
const entityPattern = /^(?:#(?:[xX]0*([0-9a-fA-F]{1,6})|0*(\d{1,7}))(?![0-9a-fA-F]);?|(amp|lt|gt|quot);?|(\w+);)/;

const entityText = ([, hex, decimal, short, name]: RegExpExecArray): string | undefined => {
  const named = short ?? name;
  if (named !== undefined) return Object.hasOwn(entities, named) ? entities[named] : undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : undefined;
};

/** XML and HTML. */
const entity: Reading = {
  kind: 'text',
  table: asItIs,
  needs: ['&'],
  triggers: [codeOf('&')],
  token: (bytes, at) => {
    if (bytes[at] !== codeOf('&')) return undefined;
    // Most of these characters stand for themselves: blanks follow them.
    if (bytes[at + 1] === codeOf(' ') || bytes[at + 1] === codeOf('&')) return undefined;
    const text = String.fromCharCode(...bytes.subarray(at + 1, at + longestEntity));
    if (at + longestEntity > bytes.length && /^#?\w*$/.test(text)) return 'incomplete';
    const found = entityPattern.exec(text);
    const decoded = found === null ? undefined : entityText(found);
    return found === null || decoded === undefined ? undefined : { length: found[0].length + 1, bytes: utf8(decoded) };
  },
};

/** A quote within quotes: of shells, then of SQL and YAML, then of CSV. Apart, as one leaves the characters of the others as they are. */
const quotesOf = (...quoted: readonly string[]): Reading => ({
  kind: 'text',
  table: asItIs,
  // Not the whole: it may end with what follows. One quote alone is read alike in a text as it is.
  needs: quoted.map((text) => text.slice(0, 2)),
  triggers: quoted.map(codeOf),
  token: (bytes, at) => {
    let isIncomplete = false;
    for (const text of quoted) {
      let length = 0;
      while (length < text.length && bytes[at + length] === text.charCodeAt(length)) length += 1;
      if (length === text.length) return { length, bytes: [codeOf(text)] };
      isIncomplete ||= length > 0 && at + length === bytes.length;
    }
    return isIncomplete ? 'incomplete' : undefined;
  },
});

const shellQuotes = quotesOf(`'\\''`, `'"'"'`);

const sqlQuotes = quotesOf(`''`);
const csvQuotes = quotesOf(`""`);

export const readings: readonly Reading[] = [
  { kind: 'text', table: asItIs },
  base64,
  hexadecimal,
  percent,
  form,
  backslash,
  entity,
  shellQuotes,
  sqlQuotes,
  csvQuotes,
];

/** An encoding within another: in what the outer one gives, the inner ones are undone. */
export const nestedReadings: readonly { readonly outer: Reading; readonly inner: readonly Reading[] }[] = [
  { outer: backslash, inner: [backslash, base64, entity, shellQuotes] },
  { outer: percent, inner: [percent, form, backslash, base64] },
  { outer: entity, inner: [backslash, percent, entity] },
  { outer: shellQuotes, inner: [backslash] },
  { outer: sqlQuotes, inner: [backslash] },
  { outer: csvQuotes, inner: [backslash] },
];

/** Base64 of any text that has the bytes in it, at each of the three alignments; the ends depend on what is around it. */
const base64Forms = (bytes: Buffer): readonly Buffer[] =>
  [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]);
    const first = Math.ceil((shift * 8) / 6);
    const last = Math.floor((whole.length * 8) / 6);
    return Buffer.from(whole.toString('base64').slice(first, last));
  });

const shortestBase64 = 6;
const shortestHexadecimal = 8;
/** Longer values are not looked for in hexadecimal. */
const longestInHexadecimal = 65_536;

export interface Pattern {
  readonly kind: PatternKind;
  readonly bytes: Buffer;
}

export const textPattern = (value: string): Pattern => ({ kind: 'text', bytes: Buffer.from(value, 'utf8') });

const escapedInJson = (value: string): string => JSON.stringify(value).slice(1, -1);

/** Bytes of the patterns of a value, or some more, without making them. */
export const mostPatternBytesOf = (value: string): number => {
  const length = Buffer.byteLength(value);
  const escaped = escapedInJson(value);
  const inBase64 = 4 * (length + (escaped === value ? 0 : Buffer.byteLength(escaped)));
  return length + inBase64 + (length <= longestInHexadecimal ? 2 * length : 0);
};

/** What is looked for in texts that are read in each way. */
export const patternsOf = (value: string): readonly Pattern[] => {
  const text = textPattern(value);
  const { bytes } = text;
  const escaped = Buffer.from(escapedInJson(value), 'utf8');
  // Documents in JSON are encoded as a whole, such as the content of a secret in Kubernetes.
  const encoded = [...base64Forms(bytes), ...(escaped.equals(bytes) ? [] : base64Forms(escaped))].filter(
    ({ length }) => length >= Math.max(4, Math.min(bytes.length, shortestBase64)),
  );
  const hex = Buffer.from(bytes.toString('hex'));
  const isInHexadecimal = hex.length >= shortestHexadecimal && bytes.length <= longestInHexadecimal;
  return [
    text,
    ...encoded.map((each) => ({ kind: 'base64', bytes: each }) as const),
    ...(isInHexadecimal ? [{ kind: 'hexadecimal', bytes: hex } as const] : []),
  ];
};
