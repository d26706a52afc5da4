/** The aggregates and processes of places. */

import { type ContextAggregates, instancesOf } from '../kernel/aggregate';
import { placeImport } from './import/decider';
import { place } from './place/decider';
import { runImportOnStarted } from './run-import-on-started/process';
import { source } from './source/decider';

export const context: ContextAggregates = {
  aggregates: [place, source, placeImport],
  processes: [instancesOf(runImportOnStarted)],
  references: 'none',
};
