/**
 * How servers may read the path of a request's target. They differ about path parameters (`;x=1`), trailing dots and blanks, dot segments, encoded
 * slashes, repeated decoding, overlong UTF-8 and NUL, so a path that has any of these is read in every way that matters to what it names.
 */

/** Segments as limits compare them: no case, width or Unicode form, without parameters, trailing dots and blanks. */
export type PathReading = readonly string[];

/** Decodes more often than servers do; each round makes the text shorter. */
const mostRounds = 5;

const escapes = /(?:%[0-9a-f]{2})+/gi;
/** Of Microsoft's servers. */
const unicodeEscapes = /%u([0-9a-f]{4})/gi;

/** Length of a sequence and the bits of its first byte, also of overlong ones. */
const sequenceOf = (byte: number): { readonly length: number; readonly bits: number } => {
  if (byte >= 0xf0 && byte < 0xf8) return { length: 4, bits: byte & 0x07 };
  if (byte >= 0xe0 && byte < 0xf0) return { length: 3, bits: byte & 0x0f };
  return byte >= 0xc0 && byte < 0xe0 ? { length: 2, bits: byte & 0x1f } : { length: 1, bits: byte };
};

/** UTF-8 that takes what a lenient decoder takes; a byte that is none is itself (Latin-1). */
const decodeBytes = (escaped: string): string => {
  const bytes = Buffer.from(escaped.replaceAll('%', ''), 'hex');
  let decoded = '';
  for (let at = 0; at < bytes.length; ) {
    const { length, bits } = sequenceOf(bytes[at] as number);
    const rest = bytes.subarray(at + 1, at + length);
    const isWhole = rest.length === length - 1 && rest.every((byte) => byte >= 0x80 && byte < 0xc0);
    const point = rest.reduce((sum, byte) => sum * 64 + (byte & 0x3f), bits);
    const isPoint = isWhole && point <= 0x10ffff;
    decoded += String.fromCodePoint(isPoint ? point : (bytes[at] as number));
    at += isPoint ? length : 1;
  }
  return decoded;
};

const decodeOnce = (text: string): string => (text.includes('%') ? text.replace(escapes, decodeBytes) : text);

const decodeFully = (text: string): string => {
  let decoded = text.replaceAll('+', ' ');
  for (let round = 0; round < mostRounds && decoded.includes('%'); round += 1)
    decoded = decodeOnce(
      decoded.replace(unicodeEscapes, (_, point: string) => String.fromCharCode(Number.parseInt(point, 16))),
    );
  return decoded;
};

/** Longer runs are no text (Stream-Safe Text Format, UAX #15), and normalising takes the square of their length. */
const endlessMarks = /\p{M}{31}/u;

const folded = (text: string): string => (endlessMarks.test(text) ? text : text.normalize('NFKC')).toLowerCase();

const droppedAtEnd = /[\s.\p{Cc}]/u;

/** From the end: a pattern would take quadratic time on a long run of blanks. */
const withoutEnd = (segment: string): string => {
  const parameters = segment.indexOf(';');
  const name = parameters === -1 ? segment : segment.slice(0, parameters);
  let length = name.length;
  while (length > 0 && droppedAtEnd.test(name.charAt(length - 1))) length -= 1;
  if (length > 0) return name.slice(0, length);
  const dots = name.trim();
  return dots === '.' || dots === '..' ? dots : '';
};

interface Reader {
  /** Of the whole path before it is split, else of each segment once: then an encoded slash is a character (RFC 3986 section 2.2). */
  readonly decodeWhole: ((path: string) => string) | undefined;
  /** Whether `..;x` and `..%20` are dot segments. */
  readonly areLooseDots: boolean;
  readonly separator: RegExp;
  /** Whether NUL ends the path, as in C, and a decoded `?` or `#`, as behind a proxy that decodes. */
  readonly endsEarly: boolean;
  /** Whether `..` removes an empty segment (RFC 3986 section 5.2.4), one of blanks, or one of three dots, as any other. */
  readonly countsEmpty: boolean;
}

const read = (path: string, { decodeWhole, areLooseDots, separator, endsEarly, countsEmpty }: Reader): PathReading => {
  const whole = decodeWhole === undefined ? path : folded(decodeWhole(path));
  const [start = ''] = endsEarly ? whole.split(/[\0?#]|%00|%3f|%23/, 1) : [whole];
  const segments: string[] = [];
  for (const written of start.replace(/^[/\\]/, '').split(separator)) {
    if (written === '' && !countsEmpty) continue;
    const decoded = decodeWhole === undefined ? folded(decodeOnce(written)) : written;
    const segment = withoutEnd(decoded);
    const dots = areLooseDots ? segment : decoded;
    if (dots === '..') segments.pop();
    else if (dots === '.') continue;
    else if (countsEmpty) segments.push(segment === '' ? decoded : segment);
    else if (segment !== '') segments.push(segment);
  }
  return countsEmpty ? segments.filter((segment) => segment !== '') : segments;
};

const everySeparator = /[/\\]/;
/** The reading of RFC 3986, but for case, and with backslashes that separate as in browsers. */
const usual: Reader = {
  decodeWhole: undefined,
  areLooseDots: true,
  separator: everySeparator,
  endsEarly: false,
  countsEmpty: false,
};

const pathOf = (target: string): string => {
  const path = target.startsWith('/') ? target : target.replace(/^[a-z][a-z0-9+.-]*:[/\\]{2}[^/\\?#]*/i, '');
  const end = path.search(/[?#]/);
  return end === -1 ? path : path.slice(0, end);
};

/** Of a policy's path. */
export const segmentsOf = (target: string): PathReading => read(pathOf(target), usual);

/** Most paths: every server reads them alike. */
const plainPath = /^(?:\/[A-Za-z0-9_~:@!$&'()*,=-]+(?:\.+[A-Za-z0-9_~:@!$&'()*,=-]+)*)*\/?$/;

/** Dots with something that only some servers take off. */
const looseDots = /(?:^|[/\\])\s*\.{1,2}[\s;\p{Cc}]|(?:^|[/\\])\s+\./u;

/** Segments without a name that a server may keep, one by one. */
const emptySegments = /[/\\](?:[\s.\p{Cc}]*(?:;[^/\\]*)?)[/\\]/u;

const readersFor = (path: string): readonly Reader[] => {
  const [once, full] = [decodeOnce(path), decodeFully(path)];
  const decoders = once === full ? [undefined, decodeOnce] : [undefined, decodeOnce, decodeFully];
  const dots = looseDots.test(folded(full)) ? [true, false] : [true];
  const separators = full.includes('\\') ? [everySeparator, /\//] : [everySeparator];
  const ends = /[\0?#]/.test(full) ? [false, true] : [false];
  const counts = emptySegments.test(full) ? [false, true] : [false];
  return decoders.flatMap((decodeWhole) =>
    dots.flatMap((areLooseDots) =>
      separators.flatMap((separator) =>
        ends.flatMap((endsEarly) =>
          counts.map((countsEmpty) => ({ decodeWhole, areLooseDots, separator, endsEarly, countsEmpty })),
        ),
      ),
    ),
  );
};

/** Browsers and `new URL` take what follows two slashes for a host, and drop tabs and ends of lines. */
const pathsOf = (path: string): readonly string[] => {
  const withoutLines = path.replaceAll(/[\t\n\r]/g, '');
  const withoutHost = withoutLines.replace(/^[/\\]{2,}[^/\\]*/, '');
  return [...new Set([path, withoutLines, withoutHost])];
};

/** Each way in which a server may read the target's path; the usual one first. */
export const pathReadings = (target: string): readonly PathReading[] => {
  const path = pathOf(target);
  if (plainPath.test(path))
    return [
      path
        .toLowerCase()
        .split('/')
        .filter((segment) => segment !== ''),
    ];
  const readings = pathsOf(path).flatMap((one) => [usual, ...readersFor(one)].map((reader) => read(one, reader)));
  return [...new Map(readings.map((reading) => [JSON.stringify(reading), reading])).values()];
};
