/** The vocabulary of a `tokenizer.json` (Hugging Face). */

import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Vocabulary } from './word-piece';

const file = t.type({ model: t.type({ type: t.literal('WordPiece'), vocab: t.record(t.string, t.Integer) }) });

/** Throws for any other file: its digest was checked when it was fetched. */
export const readVocabulary = (json: string): Vocabulary => {
  const decoded = file.decode(JSON.parse(json));
  if (isLeft(decoded)) throw new Error('the tokenizer is not WordPiece');
  return new Map(Object.entries(decoded.right.model.vocab));
};
