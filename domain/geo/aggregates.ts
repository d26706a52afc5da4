/** The aggregates of places. */

import type { ContextAggregates } from '../kernel/aggregate';
import { placeImport } from './import/decider';
import { place } from './place/decider';
import { source } from './source/decider';

export const context: ContextAggregates = {
  aggregates: [place, source, placeImport],
  references: 'none',
};
