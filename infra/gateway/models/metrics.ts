/** Metrics of model calls and their reservations. */

import type { Decision, SettleOutcome, Weight } from '../../../packages/ratelimit/src/index';
import { decisionLabels, estimateSourceOf, labelsOf } from '../../../packages/ratelimit/src/server';
import type { Metrics } from '../../ports/runtime/metrics';

export interface ModelMetrics {
  readonly decided: (decision: Decision, weight?: Weight) => void;
  readonly settled: (outcome: SettleOutcome) => void;
  /** How the response of the model service ended. */
  readonly answered: (outcome: 'whole' | 'broken' | 'left') => void;
}

export const createModelMetrics = (metrics: Metrics): ModelMetrics => {
  const decided = metrics.counter({
    name: 'gateway_models_decisions_total',
    help: 'Decisions of the limiter about requests to models.',
    labels: decisionLabels,
  });
  const estimated = metrics.counter({
    name: 'gateway_models_estimates_total',
    help: 'Source of the reserved maximum output: the request, or else the policy.',
    labels: ['source'],
  });
  const settled = metrics.counter({
    name: 'gateway_models_settlements_total',
    help: 'Reservations of tokens by outcome; `unavailable` stay charged as reserved.',
    labels: ['outcome'],
  });
  const answered = metrics.counter({
    name: 'gateway_models_answers_total',
    help: 'Responses of the model service by how they ended: complete, broken off, or abandoned by the caller.',
    labels: ['ending'],
  });
  return {
    decided: (decision, weight = {}) => {
      const source = estimateSourceOf(weight);
      if (source !== undefined) estimated({ source });
      decided(labelsOf(decision));
    },
    settled: (outcome) => settled({ outcome }),
    answered: (ending) => answered({ ending }),
  };
};
