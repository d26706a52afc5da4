/** The aggregates and processes of the rate limiter. */

import type { ContextAggregates } from '../kernel/aggregate';
import { usageOfHour } from './usage/decider';

export const context: ContextAggregates = {
  aggregates: [usageOfHour],
  processes: 'none',
  references: 'none',
};
