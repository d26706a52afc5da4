/** One vector of a text from the vectors of its tokens. */
import { toUnitLength } from '../../unit-vector';

export interface HiddenStates {
  /** Row by row, token by token. */
  readonly values: Float32Array;
  /** Tokens of each row, padding included. */
  readonly rowTokens: number;
  readonly dimensions: number;
}

/** The mean over the tokens that the attention mask lets through, which are the first ones of the row, at length 1. */
export const meanPooled = (hidden: HiddenStates, row: number, tokens: number): Float32Array => {
  const { values, rowTokens, dimensions } = hidden;
  const sum = new Float64Array(dimensions);
  for (let token = 0; token < tokens; token += 1) {
    const at = (row * rowTokens + token) * dimensions;
    for (let dimension = 0; dimension < dimensions; dimension += 1)
      sum[dimension] = (sum[dimension] as number) + (values[at + dimension] as number);
  }
  const vector = toUnitLength(Float32Array.from(sum, (value) => value / tokens));
  if (vector === undefined) throw new Error('the model returned no direction');
  return vector;
};
