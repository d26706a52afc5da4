/** A started import is a job for a worker. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { ImportId } from '../ids';
import { imports } from '../import/events';

const ImportJob = record('ImportJob', { importId: ImportId });
export type ImportJob = TypeOf<typeof ImportJob>;

export const importQueue: JobQueue<ImportJob> = { name: 'geo-imports', payload: ImportJob };

/** In a row that come no further: each goes on where the one before ended, so that many are no waste. */
const mostAttempts = 25;

export const runImportOnStarted = policy({
  name: 'run-import-on-started',
  context: 'geo',
  subscribes: [imports],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (event.type === 'ImportStarted' ? entityId : undefined),
  answer: ({ event }) => [enqueueJob(importQueue, { importId: event.data.importId }, { mostAttempts })],
});
