/**
 * Terms by which principals are found: words of name, login and id, and beginnings of these words. The view keeps them as keyed digests
 * only.
 */

/** Longer words are cut, in queries too. */
const maxPrefix = 16;
const minPrefix = 2;
/** Ids are copied or typed from their beginning: fewer prefixes keep the index small. */
const minIdPrefix = 4;
const maxWords = 24;

/** Letters that Unicode does not decompose, and the sigma whose small form depends on its place. */
const plainLetters: Readonly<Record<string, string>> = {
  æ: 'ae',
  ð: 'd',
  đ: 'd',
  ħ: 'h',
  ł: 'l',
  ø: 'o',
  œ: 'oe',
  þ: 'th',
  ŧ: 't',
  ς: 'σ',
};

/** Case, width and diacritics make no difference: compatibility forms of Unicode (NFKD) without marks, in folded case. */
const folded = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/[æðđħłøœþŧς]/g, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFKC');

const wordsOf = (text: string): readonly string[] => (folded(text).match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, maxWords);

/** Characters outside the basic plane count as one. */
const prefixesOf = (word: string, from: number): readonly string[] => {
  const characters = [...word].slice(0, maxPrefix);
  const lengths = characters.map((_, index) => index + 1).filter((length) => length >= from);
  return [characters.join(''), ...lengths.map((length) => characters.slice(0, length).join(''))];
};

export interface Searchable {
  readonly principalId: string;
  readonly login: string | null;
  readonly name: string | null;
}

export const searchTerms = ({ principalId, login, name }: Searchable): string[] => {
  const ofId = wordsOf(principalId).flatMap((word) => prefixesOf(word, minIdPrefix));
  const ofNames = [name, login].flatMap((text) => wordsOf(text ?? '')).flatMap((word) => prefixesOf(word, minPrefix));
  return [...new Set([...ofId, ...ofNames])];
};

/** All of them must be there. Empty: the text has no letter and no digit. */
export const queryTerms = (text: string): readonly string[] => [
  ...new Set(wordsOf(text).map((word) => [...word].slice(0, maxPrefix).join(''))),
];
