/** Processes of workflows. */
import { run } from '../../domain/workflow/run/decider';
import { startRunsOnTriggerReceived } from '../../domain/workflow/start-runs-on-trigger-received/process';
import type { ProcessContext } from '../kernel/context';
import { bindProcess, commandTarget } from '../kernel/processes/process-binding';

export const context: ProcessContext = {
  processes: [bindProcess(startRunsOnTriggerReceived, { 'workflow.run': commandTarget(run) })],
  queues: [],
};
