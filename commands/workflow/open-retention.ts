/** The part of the workflow service that moves logs to object storage, and removes logs and artifacts that are no longer retained. */
import { retainArtifacts } from './artifacts/retain-artifacts';
import { retainLogs } from './logs/retain-logs';
import type { WorkflowPart, WorkflowPlatform } from './platform';

export const openRetention = (platform: WorkflowPlatform): WorkflowPart => ({
  routes: [],
  background: [retainLogs(platform), retainArtifacts(platform)],
});
