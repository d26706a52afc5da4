/** The aggregates of files. */
import type { ContextAggregates } from '../kernel/aggregate';
import { fileAccessRules } from './access/decider';
import { deletion } from './deletion/decider';
import { file } from './file/decider';
import { ingestion } from './ingestion/decider';
import { references } from './references';
import { storage } from './storage/decider';

export const context: ContextAggregates = {
  aggregates: [fileAccessRules, file, ingestion, deletion, storage],
  references,
};
