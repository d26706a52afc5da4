/** Imports of files in workers. */
import { processes } from '../../domain/geo/processes';
import { importQueue } from '../../domain/geo/run-import-on-started/process';
import type { ProcessContext } from '../kernel/context';
import { bindProcesses } from '../kernel/processes/process-binding';
import { queueSpec } from '../kernel/work-queue/job-handler';
import { performImport } from './imports/run-import';

const imports = queueSpec(importQueue, {
  concurrency: 2,
  perTenant: 1,
  isHeavy: true,
  targets: {},
  open: (adapters) => ({ perform: performImport(adapters) }),
});

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, { runImportOnStarted: {} }),
  queues: [imports],
};
