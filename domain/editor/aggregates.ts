/** The aggregates of the editor. */

import type { ContextAggregates } from '../kernel/aggregate';
import { document } from './document/decider';
import { operationLog } from './operation-log/events';
import { evolveLog, initialLogState } from './operation-log/state';
import { references } from './references';

export const context: ContextAggregates = {
  aggregates: [document, { family: operationLog, initial: initialLogState, evolve: evolveLog }],
  references,
};
