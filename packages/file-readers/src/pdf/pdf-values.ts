/** Values of PDF's syntax (ISO 32000-1, 7.3), parsed from text in which each character is a byte. */

export interface PdfName {
  readonly name: string;
}
export interface PdfReference {
  readonly object: number;
}
/** Of bytes, one per character. */
export interface PdfString {
  readonly bytes: string;
}
export type PdfDictionary = ReadonlyMap<string, PdfValue>;
export type PdfValue =
  | null
  | boolean
  | number
  | PdfName
  | PdfReference
  | PdfString
  | readonly PdfValue[]
  | PdfDictionary;

export interface ParsedValue {
  readonly value: PdfValue;
  /** Behind it. */
  readonly end: number;
}

export const isDictionary = (value: PdfValue | undefined): value is PdfDictionary => value instanceof Map;
export const isReference = (value: PdfValue | undefined): value is PdfReference =>
  typeof value === 'object' && value !== null && 'object' in value;
export const isName = (value: PdfValue | undefined): value is PdfName =>
  typeof value === 'object' && value !== null && 'name' in value;
export const isString = (value: PdfValue | undefined): value is PdfString =>
  typeof value === 'object' && value !== null && 'bytes' in value;

const maxDepth = 50;
const blank = /(?:[\0\t\n\f\r ]|%[^\n\r]*)*/y;
const word = /[^\0\t\n\f\r ()<>[\]{}/%]*/y;
const reference = /(\d{1,10})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+R(?![^\0\t\n\f\r ()<>[\]{}/%])/y;
const hexString = /<([\da-fA-F\0\t\n\f\r ]*)>/y;

const matchAt = (pattern: RegExp, text: string, at: number): RegExpExecArray | null => {
  pattern.lastIndex = at;
  return pattern.exec(text);
};

export const skipBlanks = (text: string, at: number): number => at + (matchAt(blank, text, at)?.[0].length ?? 0);

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '\n': '', '\r': '' };

const parseString = (text: string, start: number): ParsedValue | undefined => {
  let bytes = '';
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (depth === 0) return { value: { bytes: bytes.slice(1) }, end: at + 1 };
    if (character !== '\\') {
      bytes += character;
      continue;
    }
    const octal = /^[0-7]{1,3}/.exec(text.slice(at + 1, at + 4))?.[0];
    const next = text[at + 1] ?? '';
    bytes += octal === undefined ? (escapes[next] ?? next) : String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
    at += octal?.length ?? 1;
  }
  return undefined;
};

const parseHexString = (text: string, at: number): ParsedValue | undefined => {
  const match = matchAt(hexString, text, at);
  if (match === null) return undefined;
  const [whole, digits = ''] = match;
  return {
    value: { bytes: Buffer.from(`${digits.replace(/[^\da-f]/gi, '')}0`, 'hex').toString('latin1') },
    end: at + whole.length,
  };
};

const parseName = (text: string, at: number): ParsedValue => {
  const [raw = ''] = matchAt(word, text, at + 1) ?? [];
  const name = raw.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return { value: { name }, end: at + 1 + raw.length };
};

const parseArray = (text: string, start: number, depth: number): ParsedValue | undefined => {
  const values: PdfValue[] = [];
  for (let at = skipBlanks(text, start + 1); text[at] !== ']'; ) {
    const parsed = parseNested(text, at, depth + 1);
    if (parsed === undefined) return undefined;
    values.push(parsed.value);
    at = skipBlanks(text, parsed.end);
    if (text[at] === ']') return { value: values, end: at + 1 };
  }
  return { value: values, end: skipBlanks(text, start + 1) + 1 };
};

const parseDictionary = (text: string, start: number, depth: number): ParsedValue | undefined => {
  const entries = new Map<string, PdfValue>();
  let at = skipBlanks(text, start + 2);
  while (!text.startsWith('>>', at)) {
    if (text[at] !== '/') return undefined;
    const key = parseName(text, at);
    const parsed = parseNested(text, skipBlanks(text, key.end), depth + 1);
    if (parsed === undefined) return undefined;
    entries.set((key.value as PdfName).name, parsed.value);
    at = skipBlanks(text, parsed.end);
  }
  return { value: entries, end: at + 2 };
};

const keywords: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

const parseWord = (text: string, at: number): ParsedValue | undefined => {
  const referred = matchAt(reference, text, at);
  if (referred !== null) return { value: { object: Number(referred[1]) }, end: at + referred[0].length };
  const [found = ''] = matchAt(word, text, at) ?? [];
  const value = found in keywords ? keywords[found] : Number(found);
  if (found === '' || value === undefined || Number.isNaN(value)) return undefined;
  return { value, end: at + found.length };
};

const parseNested = (text: string, at: number, depth: number): ParsedValue | undefined => {
  if (depth > maxDepth || at >= text.length) return undefined;
  if (text.startsWith('<<', at)) return parseDictionary(text, at, depth);
  if (text[at] === '<') return parseHexString(text, at);
  if (text[at] === '(') return parseString(text, at);
  if (text[at] === '/') return parseName(text, at);
  return text[at] === '[' ? parseArray(text, at, depth) : parseWord(text, at);
};

/** Undefined: there is none, or it does not end within the text. */
export const parseValue = (text: string, at: number): ParsedValue | undefined =>
  parseNested(text, skipBlanks(text, at), 0);
