/** Processes of workflows. */

import { processes } from '../../domain/workflow/processes';
import { run } from '../../domain/workflow/run/decider';
import type { ProcessContext } from '../kernel/context';
import { bindProcesses, commandTarget } from '../kernel/processes/process-binding';

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, { startRunsOnTriggerReceived: { 'workflow.run': commandTarget(run) } }),
  queues: [],
};
