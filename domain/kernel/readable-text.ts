/**
 * What strings of callers may hold (RFC 8264, RFC 8265, RFC 8266; UAX #31 and UTS #39 for joiners and mixed alphabets). Only input is held to
 * it: what is stored was accepted under the rules of its time.
 */

/**
 * - `line`: one line of visible characters; the value is taken as it is. The default.
 * - `name`: a line that people read and compare: NFC, without blanks around it, single blanks within (Nickname profile, RFC 8266 section 2.3).
 * - `login`: a name that identifies: no joiners and no blanks within either, and no word of several look-alike alphabets.
 * - `lines`: several lines, with tabs and direction marks.
 * - `address`: a URI as RFC 3986 writes it. URL parsers drop or replace other characters silently.
 * - `any`: content that is not read as a name: secrets, programs, output.
 */
export type TextContent = 'line' | 'name' | 'login' | 'lines' | 'address' | 'any';

/** Controls, line separators, surrogates, private use, noncharacters, and what has no shape of its own: zero width, bidi controls, fillers, tags. */
const never =
  '\\p{Cc}\\p{Zl}\\p{Zp}\\p{Cs}\\p{Co}\\p{Noncharacter_Code_Point}\\p{Default_Ignorable_Code_Point}\\uFFF9-\\uFFFB';

const virama =
  '\\u094D\\u09CD\\u0A4D\\u0ACD\\u0B4D\\u0BCD\\u0C4D\\u0CCD\\u0D3B\\u0D3C\\u0D4D\\u0DCA\\u0F84\\u1039\\u103A\\u17D2\\u1B44\\u1BAA\\u1BAB' +
  '\\uA806\\uA8C4\\uA953\\uA9C0\\uAAF6\\uABED\\u{10A3F}\\u{11046}\\u{110B9}\\u{11133}\\u{11134}\\u{111C0}\\u{1134D}\\u{11442}\\u{114C2}';
const indic =
  '\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}' +
  '\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}\\p{Script=Myanmar}';
const cursive =
  '\\p{Script_Extensions=Arabic}\\p{Script_Extensions=Syriac}\\p{Script=Mongolian}\\p{Script=Nko}\\p{Script=Mandaic}\\p{Script=Adlam}\\p{Script=Hanifi_Rohingya}';
const pictograph = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F';

/**
 * The invisible characters that spelling needs, each only where it shows: joiners by a virama or between letters of cursive scripts (CONTEXTJ, RFC 5892
 * appendix A), in emoji sequences (UTS #51) with the three flags of tags, variants of ideographs and of Mongolian letters.
 */
const meaningful = [
  `(?<=[${virama}])[\\u200C\\u200D]`,
  `(?<=[${indic}])\\u200D(?=[${virama}])`,
  `(?<=[${cursive}])[\\u200C\\u200D](?=[${cursive}])`,
  `(?<=[${pictograph}])\\u200D(?=\\p{Extended_Pictographic})`,
  '(?<=\\p{Extended_Pictographic})[\\uFE0E\\uFE0F]',
  '(?<=[0-9#*])\\uFE0F(?=\\u20E3)',
  '(?<=\\u{1F3F4})\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}',
  '(?<=\\p{Script=Han})[\\uFE00-\\uFE02\\u{E0100}-\\u{E01EF}]',
  '(?<=\\p{Script=Mongolian})[\\u180B-\\u180F]',
].join('|');

/** With a group for the meaningful ones. */
const everyInvisible = new RegExp(`(${meaningful})|[${never}]`, 'gu');
/** Without the search of what surrounds it: most texts have none. */
const unseen = new RegExp(`[${never}]`, 'u');

/** The first character of a text that readers cannot see. */
const firstInvisible = (value: string, content: TextContent): string | undefined => {
  const [first] = unseen.exec(value) ?? [];
  if (content === 'login' || first === undefined) return first;
  for (const [found, isMeaningful] of value.matchAll(everyInvisible)) if (isMeaningful === undefined) return found;
  return undefined;
};

const ofSeveralLines = /[\t\n\r\u061C\u200E\u200F]/g;
/** Blanks, and what looks like one. */
const visible = /[^\s\u2800]/u;
const everyBlank = /[\s\u2800]+/gu;
/** ASCII that is stored as it is. */
const singleBlanks = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;
const plainAscii = /^[\x20-\x7e]*$/;

const eastAsian = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Bopomofo}\\p{Script=Hangul}';

const codePointOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Of a character that may be visible: `spaces`, `the character ^`, `U+200B`. */
const characterText = (character: string): string => {
  if (character === ' ') return 'spaces';
  return /^[\x21-\x7e]$/.test(character) ? `the character ${character}` : codePointOf(character);
};

const invisibleFault = (value: string, content: TextContent): string | undefined => {
  if (plainAscii.test(value)) return undefined;
  const found = firstInvisible(content === 'lines' ? value.replace(ofSeveralLines, '') : value, content);
  return found === undefined ? undefined : `text without ${codePointOf(found)}`;
};

/** Alphabets that others have look-alikes of, and the scripts that are written among their letters (UTS #39, highly restrictive). */
const alphabets = ['Latin', 'Cyrillic', 'Greek', 'Armenian', 'Cherokee', 'Coptic'].map((script) => ({
  letter: new RegExp(`\\p{Script=${script}}`, 'u'),
  foreign: new RegExp(
    `(?![\\p{Script=${script}}\\p{Script=Common}\\p{Script=Inherited}${script === 'Latin' ? eastAsian : ''}])\\p{L}`,
    'u',
  ),
}));
const isOfOneAlphabet = (word: string): boolean =>
  alphabets.every(({ letter, foreign }) => !letter.test(word) || !foreign.test(word));
/** Unassigned; what stands for other characters; a dot over a letter that has one. */
const neverInLogins = /\p{Cn}|[\uFFFC\uFFFD\u2FF0-\u2FFF]|(?<=[\p{Soft_Dotted}\u0131])\u0307/u;

const loginFault = (value: string): string | undefined => {
  const [found] = neverInLogins.exec(value) ?? [];
  if (found !== undefined) return `text without ${codePointOf(found)}`;
  // Those around it are not stored.
  if (/[\s\u2800]/u.test(value.trim())) return 'text without spaces';
  return value
    .normalize('NFKC')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .every(isOfOneAlphabet)
    ? undefined
    : 'words of one alphabet each';
};

/** RFC 3986 section 2, but `[` and `]` anywhere: the URL parser allows them in hosts only. */
const uriCharacters = /^[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]*$/;
const notOfUris = /[^\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]/u;
const encodedControl = /%(?:[01][0-9a-f]|7f)/i;

const addressFault = (value: string): string | undefined => {
  if (!uriCharacters.test(value)) return `an address without ${characterText(notOfUris.exec(value)?.[0] ?? '')}`;
  const [found] = encodedControl.exec(value) ?? [];
  return found === undefined ? undefined : `an address without ${found.toUpperCase()}`;
};

/** What was expected instead, naming the character and never the value; undefined: the text is as its content has it. */
export const textFault = (value: string, content: TextContent): string | undefined => {
  if (content === 'any') return undefined;
  if (content === 'address') return addressFault(value);
  const fault = invisibleFault(value, content);
  if (fault !== undefined) return fault;
  if (value !== '' && !visible.test(value)) return 'text that is not blank';
  return content === 'login' ? loginFault(value) : undefined;
};

/** The value as it is stored: of names the form in which two that look the same are the same. */
export const storedForm = (value: string, content: TextContent): string =>
  (content === 'name' || content === 'login') && !singleBlanks.test(value)
    ? value.normalize('NFC').replace(everyBlank, ' ').trim()
    : value;

const linePattern =
  '^(?=.*\\S)[^\\p{Cc}\\p{Zl}\\p{Zp}\\u00AD\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u2069\\uFEFF]+$';

/** For documentation (ECMA-262 with the flag `u`): the characters that matter most of those never taken. Where joiners may stand is beyond a pattern. */
export const contentPatterns: { readonly [Content in TextContent]: string | undefined } = {
  line: linePattern,
  name: linePattern,
  login: linePattern.replace('\\u200B', '\\u200B-\\u200D'),
  lines:
    '^(?=[\\s\\S]*\\S)[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u200B\\u2028-\\u202E\\u2060-\\u2069\\uFEFF]+$',
  address: '^[!#-;=?-\\[\\]_a-z~]+$',
  any: undefined,
};

/** For pages that show what was stored before: an invisible character that spelling does not need is U+FFFD there. */
export const withVisibleCharacters = (value: string): string =>
  plainAscii.test(value)
    ? value
    : value.replace(everyInvisible, (found, isMeaningful?: string) =>
        isMeaningful === undefined && !/[\t\n\r]/.test(found) ? '\uFFFD' : found,
      );
