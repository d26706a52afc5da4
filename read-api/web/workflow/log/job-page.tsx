/** One job: its steps and its log, live, for each attempt. */
import { getWorkflowRun } from '../../../../packages/client/src/operations';
import type { StepReport } from '../../../../packages/client/src/schemas';
import { ChoiceField } from '../../components/form-fields';
import { PageHeading } from '../../components/page-heading';
import { ProblemMessage } from '../../components/problem-message';
import { type Column, Table } from '../../components/table';
import { navigate } from '../../kernel/router';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { RunState } from '../labels';
import { jobPath, runPath } from '../paths';
import { LogView } from './log-view';
import { type JobLog, useJobLog } from './use-job-log';

const columns: readonly Column<StepReport>[] = [
  { title: 'Step', show: ({ name }) => name },
  { title: 'Status', show: ({ status }) => <RunState status={status} /> },
  { title: 'Exit code', kind: 'number', show: ({ exitCode }) => exitCode ?? '—' },
];

const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const value = query.get(name) ?? '';
  return /^[1-9]\d{0,8}$/.test(value) ? Number(value) : undefined;
};

const stateOf = ({ state, isWhole }: JobLog): string => {
  if (state === 'loading') return 'Loading…';
  if (state === 'unassigned') return 'No runner has it yet.';
  if (state === 'waiting') return 'Connecting again…';
  if (state === 'live') return 'Live';
  return isWhole ? 'Complete' : 'Ended: the runner may have written more than it sent.';
};

export const JobPage = ({ params, query }: PageProps) => {
  const { runId = '', jobId = '' } = params;
  const attempt = numberIn(query, 'attempt');
  const line = numberIn(query, 'line');
  const log = useJobLog({ jobId, attempt });
  const run = useResource(getWorkflowRun({ runId }), { everyMilliseconds: 5_000 });
  const job = run.content?.jobs.find((one) => one.jobId === jobId);
  const latest = job?.attempt ?? 1;
  const status = log.status ?? job?.status;
  const attempts = Array.from({ length: latest }, (_, index) => {
    const value = String(index + 1);
    return { value, label: value };
  });
  return (
    <>
      <PageHeading
        title={job?.name ?? 'Job'}
        trail={[{ label: run.content?.workflowName ?? 'Run', path: runPath(runId) }]}
      >
        {latest > 1 && (
          <ChoiceField
            label="Attempt"
            value={String(attempt ?? latest)}
            options={attempts}
            onChoose={(value) => navigate(jobPath({ runId, jobId, attempt: Number(value) }))}
          />
        )}
      </PageHeading>
      <p class="live-state" role="status">
        {status !== undefined && <RunState status={status} />} {stateOf(log)}
      </p>
      {log.problem !== undefined && <ProblemMessage problem={log.problem} />}
      {log.steps.length > 0 && (
        <Table label="Steps" rows={log.steps} columns={columns} keyOf={({ number }) => String(number)} />
      )}
      <LogView
        lines={log.lines}
        version={log.version}
        marked={line}
        hrefOf={(number) => jobPath({ runId, jobId, attempt: attempt ?? latest, line: number })}
      />
    </>
  );
};
