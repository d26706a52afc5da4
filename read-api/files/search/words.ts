/** Words as the index has them: lower case, without accents, English stems. So a snippet marks what the index matched. */
import { stemOf } from './porter-stemmer';

export interface Word {
  readonly stem: string;
  /** In UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

const wordPattern = /[\p{L}\p{N}]+(?:['’.][\p{L}\p{N}]+)*/gu;

const folded = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll('’', "'")
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');

export const wordsIn = (text: string): readonly Word[] =>
  [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    stem: stemOf(folded(word)),
    start: index,
    end: index + word.length,
  }));

/** So frequent in English that they distinguish no passage from another. */
const commonWords = new Set(
  'a an and are as at be but by can did do does for from had has have how i if in into is it its may no not of on or our she so such that the their then there these they this to was we were what when where which who why will with you your'.split(
    ' ',
  ),
);

/** A search reads so many different words. */
const maxWords = 64;

export interface SearchWords {
  /** In the order of the query, repeated ones as well. */
  readonly phrase: readonly string[];
  /** Each once; without common words, unless there are no others. */
  readonly stems: ReadonlySet<string>;
  /** For the index. */
  readonly text: string;
}

export const searchWordsOf = (query: string): SearchWords => {
  const words = wordsIn(query).map((word) => ({ ...word, text: query.slice(word.start, word.end) }));
  const telling = words.filter(({ text }) => !commonWords.has(text.toLowerCase()));
  const used = telling.length > 0 ? telling : words;
  const distinct = [...new Map(used.map((word) => [word.stem, word.text])).entries()].slice(0, maxWords);
  return {
    phrase: words.map(({ stem }) => stem),
    stems: new Set(distinct.map(([stem]) => stem)),
    text: distinct.map(([, text]) => text).join(' '),
  };
};
