/** Words by which a passage was found, in its text. */
export interface TextRange {
  /** In UTF-16 code units. */
  readonly start: number;
  readonly length: number;
}

const word = /[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu;

interface PlacedWord extends TextRange {
  readonly text: string;
}

const wordsIn = (text: string): readonly PlacedWord[] =>
  [...text.matchAll(word)].map(({ 0: found, index }) => ({
    text: found.toLowerCase(),
    start: index,
    length: found.length,
  }));

/** Of words in lower case, and of phrases, whose words follow each other. The longest that begins at a word counts. */
export const rangesOfWords = (text: string, terms: ReadonlySet<string>): readonly TextRange[] => {
  if (terms.size === 0) return [];
  const phrases = [...terms].map((term) => wordsIn(term).map((one) => one.text)).filter(({ length }) => length > 0);
  const longestFirst = phrases.toSorted((one, other) => other.length - one.length);
  const words = wordsIn(text);
  const ranges: TextRange[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const phrase = longestFirst.find((one) => one.every((term, offset) => words[at + offset]?.text === term));
    const [first, last] = [words[at], words[at + (phrase?.length ?? 1) - 1]];
    if (phrase === undefined || first === undefined || last === undefined) continue;
    ranges.push({ start: first.start, length: last.start + last.length - first.start });
    at += phrase.length - 1;
  }
  return ranges;
};

/** The part of a line that a quote of one or more lines has: all of it, or what the quote is a part of. */
export const rangesOfQuote = (line: string, quote: string): readonly TextRange[] => {
  const trimmed = line.trim();
  if (quote === '' || trimmed === '') return [];
  const part = quote.includes(trimmed) ? trimmed : quote;
  const start = line.indexOf(part);
  return start < 0 ? [] : [{ start, length: part.length }];
};

/** The words and phrases that a snippet shows as found, in lower case. */
export const wordsOfHighlights = (text: string, ranges: readonly TextRange[]): ReadonlySet<string> =>
  new Set(ranges.map(({ start, length }) => text.slice(start, start + length).toLowerCase()));
