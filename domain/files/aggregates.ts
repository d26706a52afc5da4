/** The aggregates of files. */
import type { ContextAggregates } from '../kernel/aggregate';
import { fileAccessRules } from './access/decider';
import { file } from './file/decider';
import { ingestion } from './ingestion/decider';
import { references } from './references';

export const context: ContextAggregates = { aggregates: [fileAccessRules, file, ingestion], references };
