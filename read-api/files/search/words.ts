/** Words as the index has them: lower case, without accents, English stems. So a snippet marks what the index matched. */
import { stemOf } from './porter-stemmer';

export interface Word {
  readonly stem: string;
  /** In UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** As the index cuts them: `don't` and `12,750.50` are one word; `retry.py` and `exponential_backoff` are two. */
const wordPattern = /[\p{L}\p{N}]+(?:(?:['’](?<=\p{L}.)(?=\p{L})|[.,](?<=\p{N}.)(?=\p{N}))[\p{L}\p{N}]+)*/gu;

const folded = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll('’', "'")
    .normalize('NFD')
    .replace(/\p{M}+/gu, '');

/**
 * A search stems the words of 200 passages, which are the same few thousand again and again. Emptied when it is full: recording each use of a
 * word, as `lru-cache` does, takes longer than all else of a search.
 */
const knownStems = new Map<string, string>();
const mostKnown = 50_000;
const longestKnown = 40;

const stemOfWord = (word: string): string => {
  if (word.length > longestKnown) return stemOf(folded(word));
  const known = knownStems.get(word);
  if (known !== undefined) return known;
  const stem = stemOf(folded(word));
  if (knownStems.size >= mostKnown) knownStems.clear();
  knownStems.set(word, stem);
  return stem;
};

/** Cut one by one, as the index does. */
const ideograph = /(?<=[\p{Script=Han}\p{Script=Hiragana}])|(?=[\p{Script=Han}\p{Script=Hiragana}])/u;

export interface ExactWord extends Omit<Word, 'stem'> {
  /** In lower case and without accents. */
  readonly text: string;
}

/** Words with their endings, which phrases are compared by. */
export const exactWordsIn = (text: string): readonly ExactWord[] =>
  [...text.matchAll(wordPattern)].flatMap(({ 0: word, index }) => {
    let start = index;
    return word.split(ideograph).map((part) => {
      const exact = { text: folded(part), start, end: start + part.length };
      start = exact.end;
      return exact;
    });
  });

export const wordsIn = (text: string): readonly Word[] =>
  [...text.matchAll(wordPattern)].map(({ 0: word, index }) => ({
    stem: stemOfWord(word),
    start: index,
    end: index + word.length,
  }));

/** Of each word, in order: without places, which takes half as long. */
export const stemsIn = (text: string): readonly string[] => (text.match(wordPattern) ?? []).map(stemOfWord);

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
