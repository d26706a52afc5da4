/** What figures say of decisions: of closed sets, so that no value which a caller sends becomes one. */
import type { Decision } from './decision';

export const decisionLabels = ['outcome', 'reason', 'source'] as const;

type Labels = { readonly [label in (typeof decisionLabels)[number]]: string };

export const labelsOf = ({ outcome, reason, source }: Decision): Labels => ({
  outcome,
  reason: reason ?? 'none',
  source,
});
