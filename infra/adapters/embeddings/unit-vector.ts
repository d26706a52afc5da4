/** Vectors of length 1. */

/** Changed in place. Undefined: it has no direction, or holds what is not a number. */
export const toUnitLength = (vector: Float32Array): Float32Array | undefined => {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares);
  if (!(length > 0 && Number.isFinite(length))) return undefined;
  for (let at = 0; at < vector.length; at += 1) vector[at] = (vector[at] as number) / length;
  return vector;
};
