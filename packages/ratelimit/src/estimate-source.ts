import type { Weight } from './decision';

export type EstimateSource = 'request' | 'policy';

/** Who said how much output is reserved at most; undefined where there is none to be reserved. */
export const estimateSourceOf = ({ inputTokens, outputTokens }: Weight): EstimateSource | undefined => {
  if (outputTokens !== undefined) return 'request';
  return inputTokens === undefined ? undefined : 'policy';
};
