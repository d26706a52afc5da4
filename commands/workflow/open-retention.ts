/** The part of the workflow service that moves logs to object storage, and removes logs and artifacts that are no longer retained. */

import { type WorkflowAdapters, workflowPart } from './adapters';
import { retainArtifacts } from './artifacts/retain-artifacts';
import { retainLogs } from './logs/retain-logs';

export const retentionPart = workflowPart({
  open: (adapters: WorkflowAdapters) => ({
    deps: adapters,
    background: [retainLogs(adapters), retainArtifacts(adapters)],
  }),
  routes: () => [],
});
