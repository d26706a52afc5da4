/** The part of the workflow service that moves logs to object storage, and removes logs and artifacts that are no longer retained. */
import { retainArtifacts } from './artifacts/retain-artifacts';
import { retainLogs } from './logs/retain-logs';
import { type WorkflowPlatform, workflowPart } from './platform';

export const retentionPart = workflowPart({
  open: (platform: WorkflowPlatform) => ({
    deps: platform,
    background: [retainLogs(platform), retainArtifacts(platform)],
  }),
  routes: () => [],
});
