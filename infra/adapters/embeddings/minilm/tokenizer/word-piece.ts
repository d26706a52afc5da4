/** Texts as the ids that BERT models read: words, cut into the longest pieces that the vocabulary has. */
import { normalize, splitWords } from '../../split-words';

export type Vocabulary = ReadonlyMap<string, number>;

export interface Tokenizer {
  /** `[CLS]`, the pieces of the text, `[SEP]`; at most `mostTokens` in all. Names of special tokens in the text are plain text. */
  readonly encode: (text: string) => readonly number[];
}

/** What all-MiniLM-L6-v2 was made for; its positions go further, its quality does not. */
const mostTokens = 256;

/** A longer word is not cut, but unknown, as in BERT. */
const mostCharactersOfWord = 100;
/** Far above what 256 tokens of any language take. */
export const mostCharactersOfText = 16_384;

const characterCount = (word: string): number => (word.length <= mostCharactersOfWord ? word.length : [...word].length);

export const openTokenizer = (vocabulary: Vocabulary): Tokenizer => {
  const idOf = (token: string): number => {
    const id = vocabulary.get(token);
    if (id === undefined) throw new Error(`the vocabulary has no ${token}`);
    return id;
  };
  const [start, end, unknown] = [idOf('[CLS]'), idOf('[SEP]'), idOf('[UNK]')];
  let longestPiece = 0;
  for (const piece of vocabulary.keys()) longestPiece = Math.max(longestPiece, piece.length);

  const longestAt = (word: string, from: number): { readonly id: number; readonly to: number } | undefined => {
    for (let to = Math.min(word.length, from + longestPiece); to > from; to -= 1) {
      const piece = word.slice(from, to);
      const id = vocabulary.get(from === 0 ? piece : `##${piece}`);
      if (id !== undefined) return { id, to };
    }
    return undefined;
  };
  /** All or nothing: a word with a part that the vocabulary lacks is unknown. */
  const piecesOf = (word: string): readonly number[] => {
    if (characterCount(word) > mostCharactersOfWord) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < word.length; ) {
      const found = longestAt(word, from);
      if (found === undefined) return [unknown];
      ids.push(found.id);
      from = found.to;
    }
    return ids;
  };

  return {
    encode: (text) => {
      const ids = [start];
      for (const word of splitWords(normalize(text.slice(0, mostCharactersOfText)))) {
        for (const id of piecesOf(word)) if (ids.length < mostTokens - 1) ids.push(id);
        if (ids.length === mostTokens - 1) break;
      }
      return [...ids, end];
    },
  };
};
