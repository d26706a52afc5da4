/**
 * The parts of a query: words, phrases in quotes that have to stand in a passage as they are, and words that it may not have. Questions have
 * no such operators.
 */
import { type ExactWord, exactWordsIn, type SearchWords, searchWordsOf } from './words';

export interface SearchQuery extends SearchWords {
  /** Without operators: what the vector is made of. */
  readonly sentence: string;
  /** Each has at least one word. */
  readonly phrases: readonly string[];
  /** A word or several in a row, whatever their endings. */
  readonly excluded: readonly string[];
  /** Stems of the words that are in no phrase. */
  readonly loose: ReadonlySet<string>;
}

/** Each is a clause of the index's query; further ones are words like any other. */
const maxOperators = 32;

/** `"in quotes"`, also typographic ones, with a minus before to exclude it; `-word`. A minus within a word or before a digit is none. */
const operator = /(?<![\p{L}\p{N}])(?<minus>(?<!\S)-)?["“”„«](?<quoted>[^"“”„«»]*)["“”»]|(?<!\S)-(?<word>\p{L}\S*)/gu;

export const plainQuery = (question: string): SearchQuery => {
  const words = searchWordsOf(question);
  return { ...words, sentence: question, phrases: [], excluded: [], loose: words.stems };
};

interface Operator {
  readonly isExcluded: boolean;
  /** Without quotes and minus. */
  readonly text: string;
  /** Of the query, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

const operatorOf = ({ 0: match, index, groups: { minus, quoted, word } = {} }: RegExpExecArray): Operator => ({
  isExcluded: minus !== undefined || word !== undefined,
  text: quoted ?? word ?? '',
  start: index,
  end: index + match.length,
});

const hasWords = (text: string): boolean => exactWordsIn(text).length > 0;

export const parseSearchQuery = (query: string): SearchQuery => {
  const operators = [...query.matchAll(operator)].slice(0, maxOperators).map(operatorOf);
  const textOf = (isExcluded: boolean): readonly string[] =>
    operators.filter((one) => one.isExcluded === isExcluded && hasWords(one.text)).map(({ text }) => text);
  const replaced = (replacementOf: (one: Operator) => string): string => {
    let [text, from] = ['', 0];
    for (const one of operators) {
      text += query.slice(from, one.start) + replacementOf(one);
      from = one.end;
    }
    return text + query.slice(from);
  };
  const sentence = replaced(({ isExcluded, text }) => (isExcluded ? ' ' : ` ${text} `)).trim();
  const words = searchWordsOf(sentence);
  const outside = searchWordsOf(replaced(() => ' ')).stems;
  return {
    ...words,
    sentence,
    phrases: textOf(false),
    excluded: textOf(true),
    loose: new Set([...outside].filter((stem) => words.stems.has(stem))),
  };
};

/** A phrase in a text, in UTF-16 code units. */
export type PhraseRange = Pick<ExactWord, 'start' | 'end'>;

const rangesOf = (words: readonly ExactWord[], phrase: readonly ExactWord[]): readonly PhraseRange[] =>
  words.flatMap(({ start }, at) => {
    const isHere = phrase.every(({ text }, offset) => words[at + offset]?.text === text);
    return isHere ? [{ start, end: words[at + phrase.length - 1]?.end ?? start }] : [];
  });

/** Of all phrases, in order; overlaps with an earlier one are left out. */
export const phraseRangesIn = (content: string, phrases: readonly string[]): readonly PhraseRange[] => {
  if (phrases.length === 0) return [];
  const words = exactWordsIn(content);
  const ranges = phrases
    .flatMap((phrase) => rangesOf(words, exactWordsIn(phrase)))
    .toSorted((one, other) => one.start - other.start || other.end - one.end);
  const apart: PhraseRange[] = [];
  for (const range of ranges) if (range.start >= (apart.at(-1)?.end ?? 0)) apart.push(range);
  return apart;
};

/** The index finds phrases by their stems: here each word has its ending. */
export const hasPhrases = (content: string, phrases: readonly string[]): boolean => {
  if (phrases.length === 0) return true;
  const words = exactWordsIn(content);
  return phrases.every((phrase) => rangesOf(words, exactWordsIn(phrase)).length > 0);
};
