/** An embedder for tests: texts are near each other when they have words, or words of the same meaning, in common. */
import { right } from 'fp-ts/Either';
import type { Embedder } from '../../../infra/ports/files/embedder';
import { wordsIn } from '../../../read-api/files/search/words';

const dimensions = 384;

const meanings = new Map([
  ['automobil', 'car'],
  ['vehicl', 'car'],
  ['rental', 'leas'],
  ['tenanc', 'leas'],
]);

const dimensionOf = (stem: string): number =>
  Array.from(meanings.get(stem) ?? stem).reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 100_003, 7) %
  dimensions;

export const vectorOf = (text: string): Float32Array => {
  const vector = new Float32Array(dimensions);
  // A little of everything, so that no text has the direction of nothing.
  vector.fill(0.01);
  for (const { stem } of wordsIn(text)) vector[dimensionOf(stem)] = (vector[dimensionOf(stem)] ?? 0) + 1;
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

export const sampleEmbedder: Embedder = {
  model: 'sample-1',
  dimensions,
  description: 'Knows a few words.',
  embed: async (texts) => right(texts.map(vectorOf)),
  check: async () => right(undefined),
  close: async () => undefined,
};
