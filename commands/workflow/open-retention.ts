/** The part of the workflow service that moves logs to object storage, and removes logs and artifacts that are no longer retained. */

import type { WorkflowAdapters, WorkflowPart } from './adapters';
import { retainArtifacts } from './artifacts/retain-artifacts';
import { retainLogs } from './logs/retain-logs';

export const openRetention = (adapters: WorkflowAdapters): WorkflowPart => ({
  routes: [],
  background: [retainLogs(adapters), retainArtifacts(adapters)],
});
