/** The aggregates of the rate limiter. */

import type { ContextAggregates } from '../kernel/aggregate';
import { usageOfHour } from './usage/decider';

export const context: ContextAggregates = {
  aggregates: [usageOfHour],
  references: 'none',
};
