import type { RunEvent } from '../../../domain/workflow/run/events';
import { runs } from '../../../domain/workflow/run/events';
import { runStatusChanges } from '../../../domain/workflow/run/status';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { happened, patchStatus } from '../status-changes';
import { type RunRow, runsView } from './view';

type OfRun = Pick<RecordedEvent<{ readonly type: string; readonly data: Pick<RunRow, 'runId'> }>, 'data' | 'at'>;

const change = ({ data: { runId }, at: { tenantId, revision } }: OfRun, fields: Partial<RunRow>) =>
  patchRow<RunRow>({ tenantId, runId }, { ...fields, revision });

const unchanged = (recorded: OfRun) => change(recorded, {});

/** The run's status by the event, with these fields if it changes; its revision always. */
const changeStatus = (event: RunEvent, recorded: OfRun, fields: Partial<RunRow> = {}) => {
  const { tenantId } = recorded.at;
  const key = { tenantId, runId: recorded.data.runId };
  return [...patchStatus<RunRow>(key, runStatusChanges(event), () => fields), ...unchanged(recorded)];
};

export const runsProjection = projection(runsView, [
  streamsOf(runs, {
    RunRequested: ({ data, at, event }) =>
      putRow<RunRow>({
        runId: data.runId,
        repoId: data.repoId,
        workflowDefinitionId: data.workflowDefinitionId,
        triggerEventId: data.triggerEventId,
        workflowName: data.workflowName,
        runNumber: data.runNumber,
        title: null,
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
    RunTitled: (recorded) => change(recorded, { title: recorded.data.title }),
    RunGrouped: unchanged,
    RunNotResolved: ({ event, ...recorded }) =>
      changeStatus(happened('RunNotResolved', recorded), recorded, {
        problems: recorded.data.problems,
        completedAt: event.occurredAt,
      }),
    RunRefused: ({ event, ...recorded }) =>
      changeStatus(happened('RunRefused', recorded), recorded, {
        reason: recorded.data.reason,
        completedAt: event.occurredAt,
      }),
    JobsPlanned: unchanged,
    JobsQueued: (recorded) => changeStatus(happened('JobsQueued', recorded), recorded),
    JobsSkipped: unchanged,
    JobAssigned: ({ event, ...recorded }) =>
      changeStatus(happened('JobAssigned', recorded), recorded, { startedAt: event.occurredAt }),
    JobClaimExpired: unchanged,
    JobStarted: unchanged,
    JobCompleted: unchanged,
    JobLost: unchanged,
    JobRequeued: unchanged,
    RunCancelRequested: (recorded) =>
      changeStatus(happened('RunCancelRequested', recorded), recorded, { cancelRequested: true }),
    JobsCancelRequested: unchanged,
    RunTimedOut: (recorded) => changeStatus(happened('RunTimedOut', recorded), recorded),
    RunCompleted: ({ event, ...recorded }) =>
      changeStatus(happened('RunCompleted', recorded), recorded, { completedAt: event.occurredAt }),
    RunRetried: (recorded) =>
      changeStatus(happened('RunRetried', recorded), recorded, {
        cancelRequested: false,
        reason: null,
        attempt: recorded.data.attempt,
        startedAt: null,
        completedAt: null,
      }),
  }),
]);
