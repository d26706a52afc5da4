/** The jobs of a run in the order of the graph, and why each waits. */
import { listWaitingJobs } from '../../../../packages/client/src/operations';
import type { JobSummary, WaitingJob, WorkflowRun } from '../../../../packages/client/src/schemas';
import { type Column, Table } from '../../components/table';
import { Elapsed, Timestamp } from '../../components/timestamp';
import { hasScope } from '../../kernel/permissions';
import { useResource } from '../../kernel/use-resource';
import { isActive, jobReasonOf, RunState } from '../labels';
import { jobPath } from '../paths';
import { inGraphOrder } from './graph-layout';
import { JobGraph } from './job-graph';

/** A place in the queue means nothing for a job that no runner can take. */
const waitingNote = ({ reason, position }: WaitingJob) => {
  if (reason === 'no_matching_runner') return <a href="/console/runners">Runners</a>;
  if (position === 0) return null;
  return position === 1 ? 'It is next in the queue.' : `It is at place ${position} in the queue.`;
};

interface Props {
  readonly run: WorkflowRun;
  readonly onRetry: (jobId: string) => void;
}

export const RunJobs = ({ run, onRetry }: Props) => {
  const isLive = isActive(run.status);
  const waiting = useResource(
    isLive ? listWaitingJobs({ runId: run.runId }) : undefined,
    isLive ? { everyMilliseconds: 3_000 } : {},
  );
  const reasons = new Map((isLive ? (waiting.content?.jobs ?? []) : []).map((one) => [one.jobId, one]));
  const retry: Column<JobSummary> = {
    title: 'Actions',
    kind: 'tight',
    show: ({ jobId, name }) => (
      <button type="button" class="button small" aria-label={`Retry ${name}`} onClick={() => onRetry(jobId)}>
        Retry
      </button>
    ),
  };
  const columns: readonly Column<JobSummary>[] = [
    {
      title: 'Job',
      show: ({ jobId, name, reason, currentStep }) => {
        const wait = reasons.get(jobId);
        return (
          <>
            <a href={jobPath({ runId: run.runId, jobId })}>{name}</a>
            {currentStep !== undefined && <div class="below">At {currentStep}</div>}
            {reason !== null && <div class="below">{jobReasonOf(reason)}</div>}
            {wait !== undefined && (
              <div class="below">
                {wait.detail} {waitingNote(wait)}
              </div>
            )}
          </>
        );
      },
    },
    { title: 'Status', show: ({ status }) => <RunState status={status} /> },
    { title: 'Attempt', kind: 'number', isWide: true, show: ({ attempt }) => attempt },
    {
      title: 'Duration',
      kind: 'number',
      isWide: true,
      show: ({ startedAt, completedAt, status }) => (
        <Elapsed from={startedAt ?? null} to={completedAt ?? null} isRunning={isActive(status)} />
      ),
    },
    {
      title: 'Ended',
      kind: 'tight',
      isWide: true,
      show: ({ completedAt }) => <Timestamp at={completedAt ?? null} />,
    },
  ];
  const mayRetry = !isLive && hasScope('workflows:write');
  return (
    <section class="section">
      <h2>Jobs</h2>
      <JobGraph runId={run.runId} jobs={run.jobs} />
      <Table
        label="Jobs"
        rows={inGraphOrder(run.jobs)}
        columns={mayRetry ? [...columns, retry] : columns}
        keyOf={({ jobId }) => jobId}
      />
    </section>
  );
};
