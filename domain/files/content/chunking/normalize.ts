/** Text as it is searched and quoted. Words keep their boxes: their offsets follow each change of the text. */
import type { WordBox } from '../element';

/** What blanks mean: of `code` and `lines`, line breaks are counted; `cells` are parted by tabs; in a `flow` all blanks are alike. */
export type BlankRule = 'code' | 'lines' | 'cells' | 'flow';

export interface PlacedText {
  readonly text: string;
  readonly words: readonly WordBox[];
}

const ligatures: Readonly<Record<string, string>> = {
  ﬀ: 'ff',
  ﬁ: 'fi',
  ﬂ: 'fl',
  ﬃ: 'ffi',
  ﬄ: 'ffl',
  ﬅ: 'st',
  ﬆ: 'st',
};

/**
 * Line ends of other systems, ligatures, soft hyphens, zero-width spaces, marks of byte order, and controls but for tabs and line ends. Joiners stay,
 * which spelling needs.
 */
const respelled = /\r\n?|[\u2028\u2029]|[ﬀ-ﬆ]|[\u00AD\u200B\u2060\uFEFF]+|(?![\t\n])\p{Cc}/gu;

const spelling = (match: string): string => ligatures[match] ?? (/[\r\u2028\u2029]/.test(match) ? '\n' : '');

/** Words that follow a hyphen that stays: `pre- and postwar`. */
const conjunctions = 'and|or|nor|to|und|oder|bis|sowie|et|ou|e|o|y|u|en|of|och|og';
/** A line end that divides a word of plain letters, of which a later one may divide the rest. The hyphen is looked for first, so that long words without one cost nothing. */
const beforeHyphen = '(?<=(?:^|[\\s("\'“„«])\\p{L}{1,100}[-\\u2010])';
const afterHyphen = `(?=\\p{Ll})(?!(?:${conjunctions})(?:\\s|$))(?=\\p{L}{1,100}(?:[\\s.,;:!?)"'”“»…]|[-\\u2010][^\\S\\n]*\\n|$))`;
const brokenWord = new RegExp(`[-\\u2010]${beforeHyphen}[^\\S\\n]*\\n[^\\S\\n]*${afterHyphen}`, 'gu');

const blankRuns: { readonly [rule in BlankRule]: RegExp } = {
  code: /[^\S\n]+\n?/gu,
  lines: /[^\S\n]*\n[^\S\n]*|[^\S\n]+/gu,
  cells: /[^\S\t]*\t[^\S\t]*|[^\S\t]+/gu,
  flow: /\s+/gu,
};

const replacedBlank = (blanks: string, rule: BlankRule): string => {
  if (rule === 'code') return blanks.endsWith('\n') ? '\n' : blanks;
  if (rule === 'lines' && blanks.includes('\n')) return '\n';
  return rule === 'cells' && blanks.includes('\t') ? '\t' : ' ';
};

/** A character with its marks, or a Hangul syllable in parts: what is composed by itself. */
const composable = /\P{M}[\p{M}\u1160-\u11FF]*|^\p{M}+/gu;

/** Words outside of the text are a reader's mistake, and left out; blanks around others are no part of them. */
const rebased = ({ words }: PlacedText, text: string, offsetOf: (offset: number) => number): readonly WordBox[] =>
  words.flatMap((word) => {
    const [start, end] = [offsetOf(word.start), offsetOf(word.start + word.length)];
    const own = text.slice(start, end);
    const blanks = own.length - own.trimStart().length;
    const length = own.trim().length;
    return length === 0 ? [] : [{ ...word, start: start + blanks, length }];
  });

const replaceAll = (placed: PlacedText, pattern: RegExp, replacement: (match: string) => string): PlacedText => {
  const before = placed.text;
  const offsets = new Uint32Array(before.length + 1);
  let text = '';
  let copied = 0;
  const copyTo = (end: number): void => {
    for (let at = copied; at < end; at += 1) offsets[at] = text.length + at - copied;
    text += before.slice(copied, end);
    copied = end;
  };
  for (const { 0: match, index } of before.matchAll(pattern)) {
    const put = replacement(match);
    if (put === match) continue;
    copyTo(index);
    for (let at = 0; at < match.length; at += 1) offsets[index + at] = text.length + Math.min(at, put.length);
    text += put;
    copied = index + match.length;
  }
  if (copied === 0) return placed;
  copyTo(before.length);
  offsets[before.length] = text.length;
  return { text, words: rebased(placed, text, (offset) => offsets[Math.min(offset, before.length)] ?? text.length) };
};

const plainFlow = /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/;

/** `joinsLines`: the text has line ends of a page, whose hyphens may be no part of the words. */
export const normalizedText = (placed: PlacedText, rule: BlankRule, joinsLines = false): PlacedText => {
  const { text, words } = placed;
  if (plainFlow.test(text)) return { text, words: rebased(placed, text, (offset) => offset) };
  const spelled = replaceAll({ text: text.toWellFormed(), words }, respelled, spelling);
  // Before words are joined: a letter in parts is one letter.
  const composed =
    spelled.text.normalize('NFC') === spelled.text
      ? spelled
      : replaceAll(spelled, composable, (letter) => letter.normalize('NFC'));
  const joined = joinsLines ? replaceAll(composed, brokenWord, () => '') : composed;
  const single = replaceAll(joined, blankRuns[rule], (blanks) => replacedBlank(blanks, rule));
  return { text: single.text, words: rebased(single, single.text, (offset) => offset) };
};
