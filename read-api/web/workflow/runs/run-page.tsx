/** One run: its graph, jobs and why they wait, artifacts; canceled and retried from here. */
import { useEffect, useState } from 'preact/hooks';
import {
  cancelRun,
  getWorkflowRun,
  listWaitingJobs,
  listWorkflowArtifacts,
  retryRun,
} from '../../../../packages/client/src/operations';
import type {
  JobSummary,
  RetryRun,
  WaitingJob,
  WorkflowArtifact,
  WorkflowRun,
} from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { PageHeading } from '../../components/page-heading';
import { PagedTable } from '../../components/paged-table';
import { type Column, Table } from '../../components/table';
import { Timestamp } from '../../components/timestamp';
import { send } from '../../kernel/api-client';
import { bytesOf } from '../../kernel/format';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { usePages } from '../../kernel/use-pages';
import { useResource } from '../../kernel/use-resource';
import { Reference } from '../../references/reference';
import type { PageProps } from '../../shell/section';
import { isActive, isFailed, RunState } from '../labels';
import { jobPath, repositoriesPath, runsPath } from '../paths';
import { inGraphOrder } from './graph-layout';
import { JobGraph } from './job-graph';

/** Of an ended run, which may be retried elsewhere. Both ask with the ETag that they have. */
const interval = { active: 1_000, ended: 15_000 };

const Facts = ({ run }: { readonly run: WorkflowRun }) => (
  <dl class="facts">
    <div>
      <dt>Status</dt>
      <dd>
        <RunState status={run.status} />
      </dd>
    </div>
    <div>
      <dt>Event</dt>
      <dd>
        {run.eventType} of <span class="mono">{run.branch}</span>
      </dd>
    </div>
    <div>
      <dt>Commit</dt>
      <dd class="mono">{run.commitSha}</dd>
    </div>
    <div>
      <dt>File</dt>
      <dd class="mono">{run.path}</dd>
    </div>
    <div>
      <dt>By</dt>
      <dd>
        <Reference kind="principal" id={run.actorId} isShort />
      </dd>
    </div>
    <div>
      <dt>Attempt</dt>
      <dd>
        {run.attempt}, <Timestamp at={run.startedAt ?? run.createdAt} />
      </dd>
    </div>
  </dl>
);

const Problems = ({ problems }: Pick<WorkflowRun, 'problems'>) => (
  <section class="section">
    <h2>The definition cannot be run</h2>
    <ul class="changes">
      {problems.map(({ message, line, column }) => (
        <li key={`${line} ${column} ${message}`} class="where">
          {message}
          {line !== null && (
            <span class="faint">
              line {line}
              {column !== null && `, column ${column}`}
            </span>
          )}
        </li>
      ))}
    </ul>
  </section>
);

interface JobsProps {
  readonly run: WorkflowRun;
  readonly waiting: readonly WaitingJob[];
  readonly onRetry: (jobId: string) => void;
}

const Jobs = ({ run, waiting, onRetry }: JobsProps) => {
  const reasons = new Map(waiting.map((one) => [one.jobId, one]));
  const mayRetry = !isActive(run.status) && hasScope('workflows:write');
  const columns: readonly Column<JobSummary>[] = [
    {
      title: 'Job',
      show: ({ jobId, name, reason }) => {
        const wait = reasons.get(jobId);
        return (
          <>
            <a href={jobPath({ runId: run.runId, jobId })}>{name}</a>
            {reason !== null && <div class="below">{reason}</div>}
            {wait !== undefined && (
              <div class="below">
                {wait.detail}
                {wait.position > 0 && ` Number ${wait.position} among the jobs that wait.`}
              </div>
            )}
          </>
        );
      },
    },
    { title: 'Status', show: ({ status }) => <RunState status={status} /> },
    { title: 'Attempt', kind: 'number', isWide: true, show: ({ attempt }) => attempt },
    {
      title: 'Ended',
      kind: 'tight',
      isWide: true,
      show: ({ completedAt }) => <Timestamp at={completedAt ?? null} />,
    },
    ...(mayRetry
      ? [
          {
            title: 'Actions',
            kind: 'tight' as const,
            show: ({ jobId, name }: JobSummary) => (
              <button type="button" class="button small" aria-label={`Retry ${name}`} onClick={() => onRetry(jobId)}>
                Retry
              </button>
            ),
          },
        ]
      : []),
  ];
  return (
    <section class="section">
      <h2>Jobs</h2>
      <Table label="Jobs" rows={inGraphOrder(run.jobs)} columns={columns} keyOf={({ jobId }) => jobId} />
    </section>
  );
};

const artifactColumns: readonly Column<WorkflowArtifact>[] = [
  {
    title: 'Artifact',
    show: ({ name, storage_uri: uri, checksum }) => (
      <>
        {/* A document of its own: the answer redirects to the object store. */}
        <a href={uri} download>
          {name}
        </a>
        <div class="below mono">{checksum}</div>
      </>
    ),
  },
  { title: 'Size', kind: 'number', show: ({ size_bytes: size }) => bytesOf(size) },
  { title: 'Attempt', kind: 'number', isWide: true, show: ({ attempt }) => attempt },
  { title: 'Expires', kind: 'tight', isWide: true, show: ({ expires_at: at }) => <Timestamp at={at} /> },
];

const Artifacts = ({ runId, isLive }: { readonly runId: string; readonly isLive: boolean }) => (
  <section class="section">
    <h2>Artifacts</h2>
    <PagedTable
      pages={usePages(listWorkflowArtifacts({ runId, limit: 50 }), isLive ? { everyMilliseconds: 5_000 } : {})}
      label="Artifacts"
      one="artifact"
      columns={artifactColumns}
      keyOf={({ id }) => id}
      empty={<p class="notice">No artifact was stored.</p>}
      rows={2}
    />
  </section>
);

/** Asked again while the run is active; of an ended run, which has none, never. */
const Waiting = ({ run, onRetry }: Omit<JobsProps, 'waiting'>) => {
  const isLive = isActive(run.status);
  const waiting = useResource(
    isLive ? listWaitingJobs({ runId: run.runId }) : undefined,
    isLive ? { everyMilliseconds: 3_000 } : {},
  );
  return <Jobs run={run} waiting={isLive ? (waiting.content?.jobs ?? []) : []} onRetry={onRetry} />;
};

export const RunPage = ({ params }: PageProps) => {
  const { runId = '' } = params;
  const [isCanceling, setCanceling] = useState(false);
  const [everyMilliseconds, setPollingInterval] = useState(interval.active);
  const source = useResource(getWorkflowRun({ runId }), { everyMilliseconds });
  const { content: run } = source;
  const isLive = run !== undefined && isActive(run.status);
  useEffect(() => setPollingInterval(run === undefined || isLive ? interval.active : interval.ended), [run]);
  const cancel = async (): Promise<Problem | undefined> => {
    const answer = await send(cancelRun({ runId }));
    source.reload();
    return answer.ok ? undefined : answer.problem;
  };
  const retry = async (body: RetryRun): Promise<void> => {
    const answer = await send(retryRun({ runId, body }));
    showToast(answer.ok ? 'The run begins again.' : answer.problem.detail);
    source.reload();
  };
  const mayWrite = run !== undefined && hasScope('workflows:write');
  const trail = [
    { label: 'Repositories', path: repositoriesPath },
    ...(run === undefined ? [] : [{ label: 'Runs', path: runsPath(run.repoId) }]),
  ];
  return (
    <>
      <PageHeading title={run?.workflowName ?? 'Run'} trail={trail}>
        {mayWrite && isLive && (
          <button type="button" class="button danger" onClick={() => setCanceling(true)}>
            {run.status === 'canceling' ? 'End it now' : 'Cancel the run'}
          </button>
        )}
        {mayWrite && !isLive && (
          <>
            {[run, ...run.jobs].some(({ status }) => isFailed(status)) && (
              <button type="button" class="button" onClick={() => void retry({ mode: 'failed' })}>
                Retry failed jobs
              </button>
            )}
            <button type="button" class="button" onClick={() => void retry({ mode: 'all' })}>
              Retry all jobs
            </button>
          </>
        )}
      </PageHeading>
      <AsyncContent source={source} rows={6}>
        {(found) => (
          <>
            <Facts run={found} />
            {found.problems.length > 0 && <Problems problems={found.problems} />}
            {found.jobs.length > 0 && <JobGraph runId={runId} jobs={found.jobs} />}
            {found.jobs.length > 0 && <Waiting run={found} onRetry={(jobId) => void retry({ mode: 'job', jobId })} />}
            {/* Read again when the run has ended: the last jobs may have stored some. */}
            <Artifacts key={String(isLive)} runId={runId} isLive={isLive} />
          </>
        )}
      </AsyncContent>
      {isCanceling && (
        <ConfirmDialog
          title="Cancel the run?"
          act="Cancel it"
          isDangerous
          success="The run is being canceled."
          onAct={cancel}
          close={() => setCanceling(false)}
        >
          <p>Jobs that wait end at once, those that run are asked to end. Canceled a second time, they are ended.</p>
        </ConfirmDialog>
      )}
    </>
  );
};
