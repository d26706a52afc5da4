/** The answer of `POST /embeddings`, as OpenAI's API reference describes it. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { toUnitLength } from '../unit-vector';

const answerOf = t.type({ data: t.array(t.type({ index: t.Integer, embedding: t.UnknownArray })) });

const vectorOf = (values: readonly unknown[], dimensions: number): Float32Array | undefined => {
  if (values.length !== dimensions || !values.every((value) => typeof value === 'number')) return undefined;
  return toUnitLength(Float32Array.from(values as readonly number[]));
};

/** By index, of length 1. Undefined: not one vector of these dimensions for each text. */
export const readVectors = (
  content: unknown,
  count: number,
  dimensions: number,
): readonly Float32Array[] | undefined => {
  const answer = answerOf.decode(content);
  if (isLeft(answer) || answer.right.data.length !== count) return undefined;
  const vectors = new Map<number, Float32Array>();
  for (const { index, embedding } of answer.right.data) {
    const vector = vectorOf(embedding, dimensions);
    if (vector === undefined || index < 0 || index >= count) return undefined;
    vectors.set(index, vector);
  }
  if (vectors.size !== count) return undefined;
  return Array.from({ length: count }, (_, index) => vectors.get(index) as Float32Array);
};
