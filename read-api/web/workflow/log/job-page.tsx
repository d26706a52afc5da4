/** One job: its steps, annotations and log, live, for each attempt. */
import { getWorkflowRun, listWaitingJobs } from '../../../../packages/client/src/operations';
import type { Annotation, JobAttempt, StepReport } from '../../../../packages/client/src/schemas';
import { EmptyState } from '../../components/empty-state';
import { ChoiceField } from '../../components/form-fields';
import { type Crumb, PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import { StatusBadge } from '../../components/status-badge';
import { type Column, Table } from '../../components/table';
import { Elapsed } from '../../components/timestamp';
import type { Problem } from '../../kernel/problem';
import { navigate } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { isActive, RunState } from '../labels';
import { jobPath, repositoriesPath, runPath, runsPath } from '../paths';
import { RepositoryName } from '../repositories/repository-name';
import { LogPanel } from './log-panel';
import { logTextPath } from './log-text-path';
import { useJobAttempts } from './use-job-attempts';
import { type JobLog, useJobLog } from './use-job-log';

const columns: readonly Column<StepReport>[] = [
  { title: 'Step', show: ({ name }) => name },
  { title: 'Status', show: ({ status }) => <RunState status={status} /> },
  {
    title: 'Duration',
    kind: 'number',
    show: ({ startedAt, completedAt, status }) => (
      <Elapsed from={startedAt} to={completedAt} isRunning={isActive(status)} />
    ),
  },
  { title: 'Exit code', kind: 'number', isWide: true, show: ({ exitCode }) => exitCode ?? '—' },
];

const tones = { error: 'bad', warning: 'warn', notice: 'plain' } as const;

const Annotations = ({ annotations }: { readonly annotations: readonly Annotation[] }) => (
  <section class="section">
    <h2>Annotations</h2>
    <ul class="changes annotations">
      {annotations.map(({ level, message, title, file, line }, index) => (
        <li key={index}>
          <StatusBadge tone={tones[level]}>{level}</StatusBadge> {title !== null && <strong>{title}: </strong>}
          {message}
          {file !== null && (
            <div class="below mono">
              {file}
              {line !== null && `, line ${line}`}
            </div>
          )}
        </li>
      ))}
    </ul>
  </section>
);

const Summary = ({ text }: { readonly text: string }) => (
  <section class="section">
    <h2>Summary</h2>
    <pre class="job-summary">{text}</pre>
  </section>
);

const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const value = query.get(name) ?? '';
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
};

const stateOf = ({ state, isWhole }: JobLog): string => {
  if (state === 'loading') return 'Loading…';
  if (state === 'unassigned') return 'No runner has taken the job yet.';
  if (state === 'waiting') return 'Connecting again…';
  if (state === 'live') return 'Live';
  return isWhole ? 'The log is complete.' : 'Ended: the runner may have written more than it sent.';
};

/** Those of the stream are newer while the attempt runs; of an ended one, the view has them all. */
const stepsOf = (log: JobLog, found: JobAttempt | undefined): readonly StepReport[] =>
  log.steps.length > 0 && (found === undefined || found.completedAt === null) ? log.steps : (found?.steps ?? log.steps);

const repositoryTrail = (repoId: string) => [
  { label: 'Repositories', path: repositoriesPath },
  { label: <RepositoryName repoId={repoId} />, path: runsPath(repoId) },
];

/** The scheduler's reason, and where runners are looked up and registered. */
const WaitingReason = ({ runId, jobId }: { readonly runId: string; readonly jobId: string }) => {
  const waiting = useResource(listWaitingJobs({ runId }), { everyMilliseconds: 3_000 });
  const found = waiting.content?.jobs.find((one) => one.jobId === jobId);
  return found === undefined ? null : (
    <p class="notice">
      {found.detail} <a href="/console/runners">Runners</a>
    </p>
  );
};

interface MissingJobProps {
  readonly trail: readonly Crumb[];
  /** Undefined: the run exists and has no such job. */
  readonly problem: Problem | undefined;
}

const MissingJob = ({ trail, problem }: MissingJobProps) => (
  <>
    <PageHeading title="Job" trail={trail} />
    {problem === undefined ? (
      <EmptyState title="The run has no such job">Its page lists the jobs that it has.</EmptyState>
    ) : (
      <ProblemMessage problem={problem} />
    )}
  </>
);

export const JobPage = ({ params, query }: PageProps) => {
  const { runId = '', jobId = '' } = params;
  const attempt = numberIn(query, 'attempt');
  const log = useJobLog({ jobId, attempt });
  const run = useResource(getWorkflowRun({ runId }), { everyMilliseconds: 5_000 });
  const job = run.content?.jobs.find((one) => one.jobId === jobId);
  const latest = job?.attempt ?? 1;
  const displayedAttempt = attempt ?? log.attempt ?? latest;
  const attempts = useJobAttempts({ runId, jobId, changes: `${job?.attempt} ${job?.status} ${log.state}` });
  const found = attempts.find((one) => one.attempt === displayedAttempt);
  const status = displayedAttempt === latest ? (log.status ?? job?.status) : found?.status;
  const steps = stepsOf(log, found);
  const options = Array.from({ length: latest }, (_, index) => {
    const value = String(index + 1);
    return { value, label: index + 1 === latest ? `${value} (latest)` : value };
  });
  const trail = [
    ...(run.content === undefined
      ? [{ label: 'Repositories', path: repositoriesPath }]
      : repositoryTrail(run.content.repoId)),
    { label: run.content?.workflowName ?? 'Run', path: runPath(runId) },
  ];
  const missing = run.problem?.status === 404 ? run.problem : undefined;
  if (missing !== undefined || (run.content !== undefined && job === undefined))
    return <MissingJob trail={trail} problem={missing} />;
  return (
    <>
      <PageHeading title={job?.name ?? 'Job'} trail={trail}>
        {latest > 1 && (
          <ChoiceField
            label="Attempt"
            value={String(displayedAttempt)}
            options={options}
            onChoose={(value) => navigate(jobPath({ runId, jobId, attempt: Number(value) }))}
          />
        )}
      </PageHeading>
      <p class="live-state" role="status">
        {status !== undefined && <RunState status={status} />} {stateOf(log)}
      </p>
      {log.state === 'unassigned' && <WaitingReason runId={runId} jobId={jobId} />}
      {log.problem !== undefined && <ProblemMessage problem={log.problem} />}
      {steps.length > 0 && (
        <Table label="Steps" rows={steps} columns={columns} keyOf={({ number }) => String(number)} />
      )}
      {found !== undefined && found.annotations.length > 0 && <Annotations annotations={found.annotations} />}
      <LogPanel
        key={`${jobId} ${displayedAttempt}`}
        log={log}
        marked={numberIn(query, 'line')}
        hrefOf={(number) => jobPath({ runId, jobId, attempt: displayedAttempt, line: number })}
        fileName={`${job?.name ?? 'job'}-${displayedAttempt}.log`}
        textHref={log.attempt === undefined ? undefined : logTextPath({ jobId, attempt: log.attempt })}
      />
      {found?.summary !== undefined && found.summary !== null && <Summary text={found.summary} />}
    </>
  );
};
