/** Bytes of text to a string: UTF-8 if they are valid UTF-8, then by its mark or its zero bytes, then the likeliest legacy charset. */

export interface DecodedText {
  readonly text: string;
  /** The name of the encoding, such as `utf-8` or `windows-1252`. */
  readonly encoding: string;
}

/** Enough to know a charset by, and quick. */
const sampleBytes = 65_536;
const minConfidence = 20;
/** What Windows wrote for decades, and what every byte is valid in. */
const lastResort = 'windows-1252';

/** Loaded when the first text needs them: most are in UTF-8, and the tables of old encodings are large. */
const legacy = (): typeof import('iconv-lite') => require('iconv-lite') as typeof import('iconv-lite');
const analyse: typeof import('chardet').analyse = (bytes) =>
  (require('chardet') as typeof import('chardet')).analyse(bytes);
const decodeLegacy = (bytes: Uint8Array, encoding: string): string => legacy().decode(Buffer.from(bytes), encoding);
const encodingExists = (name: string): boolean => legacy().encodingExists(name);

const startsWith = (bytes: Uint8Array, ...mark: readonly number[]): boolean =>
  mark.every((byte, index) => bytes[index] === byte);

const markedEncoding = (bytes: Uint8Array): string | undefined => {
  if (startsWith(bytes, 0xef, 0xbb, 0xbf)) return 'utf-8';
  if (startsWith(bytes, 0xff, 0xfe, 0, 0)) return 'utf-32le';
  if (startsWith(bytes, 0, 0, 0xfe, 0xff)) return 'utf-32be';
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  if (startsWith(bytes, 0xfe, 0xff)) return 'utf-16be';
  return undefined;
};

/** Text in UTF-16 has a zero in every other byte where it is Latin, also where it is only partly. */
const zeroBytes = (bytes: Uint8Array): string | undefined => {
  const counts = [0, 0];
  for (const [index, byte] of bytes.subarray(0, sampleBytes).entries())
    if (byte === 0) counts[index % 2] = (counts[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = counts;
  const half = Math.min(bytes.length, sampleBytes) / 2;
  if (odd > 0.3 * half && even < 0.02 * half) return 'utf-16le';
  if (even > 0.3 * half && odd < 0.02 * half) return 'utf-16be';
  return undefined;
};

const strictUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Of UTF-8 with a few broken bytes, as logs have; undefined where it is not UTF-8 at all. */
const brokenUtf8 = (bytes: Uint8Array): string | undefined => {
  const text = new TextDecoder('utf-8').decode(bytes);
  const sample = text.slice(0, sampleBytes);
  const broken = sample.match(/\uFFFD/g)?.length ?? 0;
  const whole = sample.match(/(?!\uFFFD)\P{ASCII}/gu)?.length ?? 0;
  return whole > 3 * broken ? text : undefined;
};

const legacyEncoding = (bytes: Uint8Array): string => {
  const [best] = analyse(bytes.subarray(0, sampleBytes)).filter(
    // chardet is strict about the lengths of texts in UTF-16, and takes short Latin ones for others.
    ({ name, confidence }) => confidence >= minConfidence && !name.startsWith('UTF-') && encodingExists(name),
  );
  if (best === undefined || /^ascii$/i.test(best.name)) return lastResort;
  // The alphabets of Europe differ in few letters, which short texts do not have. Of ISO-8859-1 the web takes only its superset.
  const isLatin = /^(?:iso-8859-(?:1|2|3|4|9|10|13|14|15)|windows-(?:1250|1252|1254|1257))$/i.test(best.name);
  const foreign = bytes.subarray(0, sampleBytes).filter((byte) => byte >= 0x80).length;
  return isLatin && (foreign < 100 || /^iso-8859-1$/i.test(best.name)) ? lastResort : best.name.toLowerCase();
};

const isLegacy = (name: string): boolean =>
  encodingExists(name) && !/^(?:utf|ucs|ascii|us-ascii|base64|hex|binary)/i.test(name);

/** Always some text: every byte stands for something in the last resort. `declared` is what the text names itself, which is often wrong. */
export const decodeText = (bytes: Uint8Array, declared?: string): DecodedText => {
  const wide = markedEncoding(bytes) ?? zeroBytes(bytes);
  if (wide !== undefined && wide !== 'utf-8')
    return { text: decodeLegacy(bytes, wide).replace(/^\uFEFF/, ''), encoding: wide };
  const text = strictUtf8(bytes) ?? brokenUtf8(bytes);
  if (text !== undefined) return { text, encoding: 'utf-8' };
  const encoding = declared !== undefined && isLegacy(declared) ? declared.toLowerCase() : legacyEncoding(bytes);
  return { text: decodeLegacy(bytes, encoding), encoding };
};

/** Of a sample of a file's bytes: they are text, in whichever encoding. A character that the sample cuts does not count. */
export const isText = (bytes: Uint8Array): boolean => {
  if (bytes.length === 0) return true;
  const wide = markedEncoding(bytes) ?? zeroBytes(bytes);
  const text = wide === undefined || wide === 'utf-8' ? undefined : decodeLegacy(bytes, wide);
  if (text !== undefined) {
    const bad = text.match(/[\uFFFD\p{Cn}\p{Co}]|(?!\s)\p{Cc}/gu)?.length ?? 0;
    return bad <= 0.01 * text.length + 1;
  }
  // Terminals' escapes and form feeds are in logs and old documents.
  const controls = bytes.filter((byte) => byte < 0x20 && !allowedControls.has(byte)).length;
  return controls === 0;
};
const allowedControls = new Set([0x07, 0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b]);

const lineBreak = /\r\n|\n|\r/;

/** Numbered from 1 by their index and one, as editors do: a break ends a line, and a last one begins none. */
export const linesOfText = (text: string): readonly string[] => {
  const lines = text.split(lineBreak);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};
