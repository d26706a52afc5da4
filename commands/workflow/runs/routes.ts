/** Routes of runs on the write side: cancel and retry. */
import { right } from 'fp-ts/Either';
import { record } from '../../../domain/kernel/codec';
import type { PrincipalId } from '../../../domain/kernel/ids';
import { JobId, RunId } from '../../../domain/workflow/ids';
import { run } from '../../../domain/workflow/run/decider';
import { RetryMode, runStream } from '../../../domain/workflow/run/events';
import { type BoundRoute, bind } from '../../../infra/server/http/routing/route';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { runProblems } from './problems';

const scopes = ['workflows:write'];
const RunPath = record('RunPath', { runId: RunId });
const RunAnswer = record('RunAnswer', { runId: RunId });

const cancelAt = (path: string, operation: string) =>
  commandRoute<CommandDeps>()({
    method: 'post',
    path,
    operation,
    summary: 'Cancel a run',
    description:
      'Waiting jobs are canceled at once; running jobs are asked to end. A second cancel ends them without a grace period. Jobs that succeed before the request reaches them keep their result.',
    scopes,
    sensitive: false,
    params: RunPath,
    answer: RunAnswer,
    decider: run,
    problems: runProblems,
    prepare: ({ params: { runId }, tenantId, identity }) =>
      right({
        stream: runStream(tenantId, runId),
        command: { type: 'CancelRun' as const, runId, by: identity.principalId as PrincipalId, isForced: false },
        answer: { runId },
      }),
  });

const cancelRun = cancelAt('/actions/runs/:runId/cancel', 'cancelRun');
const cancelRunByShortPath = cancelAt('/runs/:runId/cancel', 'cancelRunByShortPath');

const retryRun = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/actions/runs/:runId/retry',
  operation: 'retryRun',
  summary: 'Run an ended run again',
  description:
    'The same commit and definition in a new attempt: `all` jobs, the `failed` ones (also canceled ones), or one `job`, with what depends on them. Other jobs keep their results. A run has at most 50 attempts.',
  scopes,
  sensitive: false,
  params: RunPath,
  body: record('RetryRun', { mode: RetryMode }, { jobId: JobId }),
  answer: RunAnswer,
  decider: run,
  problems: runProblems,
  prepare: ({ params: { runId }, body: { mode, jobId = null }, tenantId, identity }) =>
    right({
      stream: runStream(tenantId, runId),
      command: { type: 'RetryRun' as const, runId, by: identity.principalId as PrincipalId, mode, jobId },
      answer: { runId },
    }),
});

export const runRoutes = (deps: CommandDeps): readonly BoundRoute[] => [
  bind(deps, cancelRun),
  bind(deps, cancelRunByShortPath),
  bind(deps, retryRun),
];
