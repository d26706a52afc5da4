/**
 * A substitute where no model can be had: texts with the same words, or words of the same stem, are near each other; meaning is not known.
 * Features are hashed to signed dimensions (feature hashing, Weinberger et al. 2009).
 */
import { right } from 'fp-ts/Either';
import type { Embedder } from '../../ports/files/embedder';
import { normalize, splitWords } from './split-words';
import { toUnitLength } from './unit-vector';

const dimensions = 384;
const mostCharacters = 16_384;
/** Parts of words, which relate `indexing` to `indexes`. */
const [shortestPart, longestPart] = [4, 5];

/** FNV-1a over UTF-16 units, finished as in MurmurHash3, so that near texts differ in all bits. */
const hash = (text: string): number => {
  let state = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
};

const partsOf = (word: string): readonly string[] => {
  const bounded = `<${word}>`;
  const parts: string[] = [];
  for (let length = shortestPart; length <= longestPart; length += 1)
    for (let at = 0; at + length <= bounded.length; at += 1) parts.push(bounded.slice(at, at + length));
  return parts;
};

/** Words of few letters are mostly articles and prepositions; of ideographs each is a word. */
const weightOf = (word: string): number => (word.charCodeAt(0) > 0x2e7f ? 1 : Math.min(1, word.length / 6) ** 2);

const isWord = (word: string): boolean => /[\p{L}\p{N}]/u.test(word);

const vectorOf = (text: string): Float32Array => {
  const counts = new Map<string, number>();
  for (const word of splitWords(normalize(text.slice(0, mostCharacters))))
    if (isWord(word)) counts.set(word, (counts.get(word) ?? 0) + 1);

  const vector = new Float32Array(dimensions);
  const add = (feature: string, weight: number): void => {
    const hashed = hash(feature);
    const at = (hashed >>> 1) % dimensions;
    vector[at] = (vector[at] as number) + ((hashed & 1) === 1 ? weight : -weight);
  };
  for (const [word, count] of counts) {
    const weight = weightOf(word) * count;
    add(` ${word}`, weight);
    const parts = partsOf(word);
    for (const part of parts) add(part, weight / Math.sqrt(parts.length));
  }
  // A text without words has a direction, too.
  return toUnitLength(vector) ?? vector.fill(0).fill(1, 0, 1);
};

export const hashedModel = 'hashed-words-384-v1';

/** `reason`: why it stands in for a model; left out where it was chosen. */
export const openHashedEmbedder = (reason?: string): Embedder => ({
  model: hashedModel,
  dimensions,
  description: [
    'A substitute for an embedding model: finds texts with the same words and similar spellings, and knows no meaning.',
    ...(reason === undefined ? [] : [reason]),
  ].join(' '),
  isLexical: true,
  ...(reason === undefined ? {} : { isStandIn: true }),
  embed: async (texts) => right(texts.map(vectorOf)),
  check: async () => right(undefined),
  close: async () => undefined,
});
