/** Metrics of decisions. */

import { decisionLabels, labelsOf } from '../../../packages/ratelimit/src/server';
import type { Metrics } from '../../ports/runtime/metrics';
import type { DecisionDeps } from './decision-service';

const buckets = [0.000_25, 0.000_5, 0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.25, 1];

export const createDecisionMetrics = (metrics: Metrics): DecisionDeps['onDecision'] => {
  const decisions = metrics.counter({
    name: 'ratelimit_decisions_total',
    help: 'Decisions by outcome, reason, and source of the count.',
    labels: decisionLabels,
  });
  const over = metrics.counter({
    name: 'ratelimit_limits_over_total',
    help: 'Limits exceeded, enforced or only counted (watched).',
    labels: ['unit', 'mode'],
  });
  const took = metrics.histogram({ name: 'ratelimit_decision_seconds', help: 'Time to decide.', buckets });
  const uncounted = metrics.counter({
    name: 'ratelimit_store_faults_total',
    help: 'Decisions without the store, because it was unavailable.',
  });
  return (decision, { seconds }) => {
    took(seconds);
    decisions(labelsOf(decision));
    if (decision.source === 'local' || decision.reason === 'store-unavailable') uncounted();
    for (const one of decision.limits)
      if (one.over) over({ unit: one.unit, mode: one.watched ? 'watched' : 'enforced' });
  };
};
