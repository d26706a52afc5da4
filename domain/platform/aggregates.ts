/** The aggregates of the platform. */

import type { ContextAggregates } from '../kernel/aggregate';
import { skips } from './skips/events';
import { evolve, nothingSkipped } from './skips/state';

export const context: ContextAggregates = {
  aggregates: [{ family: skips, initial: nothingSkipped, evolve }],
  references: 'none',
};
