import { runs } from '../../../domain/workflow/run/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type RunRow, type RunStatus, runsView } from './view';

type Change = ReturnType<typeof patchRow<RunRow>>[number] | ReturnType<typeof patchRowsWhere<RunRow>>[number];
type OfRun = Pick<RecordedEvent<{ readonly type: string; readonly data: Pick<RunRow, 'runId'> }>, 'data' | 'at'>;

const change = ({ data: { runId }, at: { tenantId, revision } }: OfRun, fields: Partial<RunRow>): readonly Change[] =>
  patchRow<RunRow>({ tenantId, runId }, { ...fields, revision });

/** Changes the run's fields if it has one of these statuses; its revision always. */
const changeFrom = (recorded: OfRun, statuses: readonly RunStatus[], fields: Partial<RunRow>): readonly Change[] => {
  const { tenantId } = recorded.at;
  const { runId } = recorded.data;
  const from = statuses.flatMap((status) => patchRowsWhere<RunRow>({ tenantId, runId, status }, fields));
  return [...from, ...change(recorded, {})];
};

const unchanged = (recorded: OfRun): readonly Change[] => change(recorded, {});

export const runsProjection = projection(runsView, [
  streamsOf(runs, 'run', {
    RunRequested: ({ data, at, event }) =>
      putRow<RunRow>({
        runId: data.runId,
        repoId: data.repoId,
        workflowDefinitionId: data.workflowDefinitionId,
        triggerEventId: data.triggerEventId,
        workflowName: data.workflowName,
        path: data.path,
        yamlHash: data.yamlHash,
        definitionVersion: data.definitionVersion,
        eventType: data.eventType,
        ref: data.ref,
        branch: data.branch,
        commitSha: data.commitSha,
        actorId: data.actorId,
        priority: data.priority,
        status: 'queued',
        cancelRequested: false,
        attempt: 1,
        problems: [],
        reason: null,
        createdAt: event.occurredAt,
        startedAt: null,
        completedAt: null,
        ...at,
      }),
    RunResolved: (recorded) => change(recorded, { problems: [] }),
    RunGrouped: unchanged,
    RunNotResolved: ({ event, ...recorded }) =>
      change(recorded, { status: 'failure', problems: recorded.data.problems, completedAt: event.occurredAt }),
    RunRefused: ({ event, ...recorded }) =>
      change(recorded, { status: 'failure', reason: recorded.data.reason, completedAt: event.occurredAt }),
    JobsPlanned: unchanged,
    JobsQueued: (recorded) => changeFrom(recorded, ['queued'], { status: 'waiting_for_runner' }),
    JobsSkipped: unchanged,
    JobAssigned: ({ event, ...recorded }) =>
      changeFrom(recorded, ['queued', 'waiting_for_runner'], { status: 'in_progress', startedAt: event.occurredAt }),
    JobClaimExpired: unchanged,
    JobStarted: unchanged,
    JobCompleted: unchanged,
    JobLost: unchanged,
    JobRequeued: unchanged,
    RunCancelRequested: (recorded) => change(recorded, { status: 'canceling', cancelRequested: true }),
    JobsCancelRequested: unchanged,
    RunTimedOut: (recorded) => change(recorded, { status: 'canceling' }),
    RunCompleted: ({ event, ...recorded }) =>
      change(recorded, { status: recorded.data.result, completedAt: event.occurredAt }),
    RunRetried: (recorded) =>
      change(recorded, {
        status: 'queued',
        cancelRequested: false,
        reason: null,
        attempt: recorded.data.attempt,
        startedAt: null,
        completedAt: null,
      }),
  }),
]);
