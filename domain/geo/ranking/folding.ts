/** How names and queries are compared: without case, marks and spelling variants of letters. Index and query are folded by this one function. */

/** Letters that no decomposition reduces to a base letter. */
const letters: { readonly [letter: string]: string } = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ŋ: 'n',
  ŧ: 't',
  ĸ: 'k',
  ς: 'σ',
};
const special = new RegExp(`[${Object.keys(letters).join('')}]`, 'gu');

/** Scripts that are written without spaces: each of their characters is a token. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu;

/** Accents and other marks that a script can do without; not the vowels of Indic scripts. */
const marks = /[\p{Script=Inherited}\u0591-\u05c7]/gu;

/** Longer names and queries are cut: people do not type them, and each token is a clause. */
const maxTokens = 16;
const maxTokenLength = 64;

/** Tokens in order. Text of punctuation or emoji alone has none. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .normalize('NFKD')
    .replace(marks, '')
    .toLowerCase()
    .normalize('NFKC')
    .replace(special, (letter) => letters[letter] ?? letter)
    .replace(/['’ʼ`]/gu, '')
    .replace(unspaced, ' $& ')
    .split(/[^\p{L}\p{N}\p{M}]+/u)
    .filter((token) => token !== '')
    .slice(0, maxTokens)
    .map((token) => token.slice(0, maxTokenLength));

/** One spelling of a whole name or query. */
export const foldedText = (text: string): string => tokensOf(text).join(' ');
