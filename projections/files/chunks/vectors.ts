/** Vectors as contents hold them: little-endian 32-bit floats in base64. */
import type { VectorList } from '../../../domain/files/content/chunk';
import { vectorLength } from './view';

const bytesPerNumber = 4;

/** Seven digits are what a 32-bit float has. */
const shortened = (value: number): number => Number(value.toPrecision(7));

/** Null for what is not a vector of this length and direction: an index refuses those. */
const vectorOf = (encoded: string | null): readonly number[] | null => {
  if (encoded === null) return null;
  const bytes = Buffer.from(encoded, 'base64');
  if (bytes.length !== vectorLength * bytesPerNumber) return null;
  const vector = Array.from({ length: vectorLength }, (_, at) => shortened(bytes.readFloatLE(at * bytesPerNumber)));
  const isUsable = vector.every(Number.isFinite) && vector.some((value) => value !== 0);
  return isUsable ? vector : null;
};

export const vectorsOf = ({ dimensions, vectors }: VectorList): readonly (readonly number[] | null)[] =>
  dimensions === vectorLength ? vectors.map(vectorOf) : [];
