/** Labels of decision metrics, from closed sets: no value of a caller becomes a label. */
import type { Decision, Weight } from './decision';

export const decisionLabels = ['outcome', 'reason', 'source'] as const;

type DecisionLabels = { readonly [label in (typeof decisionLabels)[number]]: string };

export const labelsOf = ({ outcome, reason, source }: Decision): DecisionLabels => ({
  outcome,
  reason: reason ?? 'none',
  source,
});

export type EstimateSource = 'request' | 'policy';

/** Whether the request or the policy determined the reserved output; undefined if none is reserved. */
export const estimateSourceOf = ({ inputTokens, outputTokens }: Weight): EstimateSource | undefined => {
  if (outputTokens !== undefined) return 'request';
  return inputTokens === undefined ? undefined : 'policy';
};
