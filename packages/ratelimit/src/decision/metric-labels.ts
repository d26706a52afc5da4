/** What figures say of decisions: of closed sets, so that no value which a caller sends becomes one. */
import type { Decision, Weight } from './decision';

export const decisionLabels = ['outcome', 'reason', 'source'] as const;

type DecisionLabels = { readonly [label in (typeof decisionLabels)[number]]: string };

export const labelsOf = ({ outcome, reason, source }: Decision): DecisionLabels => ({
  outcome,
  reason: reason ?? 'none',
  source,
});

export type EstimateSource = 'request' | 'policy';

/** Who said how much output is reserved at most; undefined where there is none to be reserved. */
export const estimateSourceOf = ({ inputTokens, outputTokens }: Weight): EstimateSource | undefined => {
  if (outputTokens !== undefined) return 'request';
  return inputTokens === undefined ? undefined : 'policy';
};
