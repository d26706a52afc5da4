/** The manifest of workflows: repositories, their events, runs of their definitions on runners, logs and artifacts. */
import type { Context } from '../kernel/context';

const transfer = { maxBytes: 2 ** 31, idleMilliseconds: 60_000 };

export const context: Context = {
  name: 'workflow',
  scopes: [
    { name: 'workflows:read', description: 'See repositories, runs of workflows, their logs and artifacts' },
    { name: 'workflows:write', description: 'Start, cancel and retry runs of workflows, and push to repositories' },
    { name: 'workflows:admin', description: 'Create repositories, set limits, and register runners' },
  ],
  tags: [
    {
      name: 'workflows',
      description: 'Repositories, their events, runs of their workflows, logs and artifacts.',
      paths: /^\/(?:v1\/workflow|repos|actions|runs|git)(?:[/:]|$)/,
    },
    { name: 'runners', description: 'What runners call.', paths: /^\/runner(?:[/:]|$)/ },
  ],
  limitGroups: [],
  destinations: [
    { paths: ['/actions/jobs/{jobId}/logs/stream'], methods: ['GET'], service: 'workflow', webSocket: true },
    {
      paths: ['/runner/**'],
      service: 'workflow',
      authenticatedBy: 'service',
      transfer: { maxBytes: 2 ** 24, idleMilliseconds: 60_000 },
    },
    {
      paths: ['/runner/socket'],
      service: 'workflow',
      authenticatedBy: 'service',
      webSocket: true,
      operations: {
        GET: { operation: 'openRunnerSocket', summary: 'Receive jobs as a runner', scopes: [], sensitive: false },
      },
    },
    {
      paths: ['/git/{tenantId}/{repository}/info/refs'],
      service: 'workflow',
      authenticatedBy: 'service',
      transfer,
    },
    {
      paths: ['/git/{tenantId}/{repository}/git-upload-pack'],
      service: 'workflow',
      authenticatedBy: 'service',
      transfer,
    },
    {
      paths: ['/git/{tenantId}/{repository}/git-receive-pack'],
      service: 'workflow',
      authenticatedBy: 'service',
      transfer,
    },
  ],
  services: [
    {
      name: 'workflow',
      title: 'workflow service',
      entry: 'commands/workflow/main',
      appends: true,
      usesBlobs: true,
      secrets: [{ name: 'workflow-job-key', variable: 'WORKFLOW_JOB_KEY' }],
    },
  ],
};
