/** One run: why it failed, its graph, jobs and why they wait, artifacts; canceled and retried from here. */
import { useEffect, useState } from 'preact/hooks';
import { cancelRun, getWorkflowRun, retryRun } from '../../../../packages/client/src/operations';
import type { RetryRun, WorkflowRun } from '../../../../packages/client/src/schemas';
import { AsyncContent } from '../../components/async-content';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { PageHeading } from '../../components/page-heading';
import { send } from '../../kernel/api-client';
import { hasScope } from '../../kernel/permissions';
import type { Problem } from '../../kernel/problem';
import { showToast } from '../../kernel/toasts';
import { useResource } from '../../kernel/use-resource';
import type { PageProps } from '../../shell/section';
import { isActive, isFailed, refusals } from '../labels';
import { repositoriesPath, runsPath } from '../paths';
import { RepositoryName } from '../repositories/repository-name';
import { RunArtifacts } from './run-artifacts';
import { RunFacts, RunProblems } from './run-facts';
import { hasFailed, RunFailures } from './run-failures';
import { RunJobs } from './run-jobs';

/** Of an ended run, which may be retried elsewhere. Both send the ETag that they have. */
const interval = { active: 1_000, ended: 15_000 };

/** Read again when another job has failed, or one has begun again. */
const failuresOf = ({ jobs }: WorkflowRun): string =>
  jobs
    .filter(hasFailed)
    .map(({ jobId, attempt }) => `${jobId} ${attempt}`)
    .join();

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
    showToast(answer.ok ? 'The run was restarted.' : answer.problem.detail);
    source.reload();
  };
  const mayWrite = run !== undefined && hasScope('workflows:write');
  const trail = [
    { label: 'Repositories', path: repositoriesPath },
    ...(run === undefined ? [] : [{ label: <RepositoryName repoId={run.repoId} />, path: runsPath(run.repoId) }]),
  ];
  return (
    <>
      <PageHeading title={run?.title ?? run?.workflowName ?? 'Run'} trail={trail}>
        {mayWrite && isLive && (
          <button type="button" class="button danger" onClick={() => setCanceling(true)}>
            {run.status === 'canceling' ? 'Force cancel' : 'Cancel the run'}
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
            <RunFacts run={found} />
            {found.reason !== null && <p class="notice bad">{refusals[found.reason]}</p>}
            {found.problems.length > 0 && <RunProblems problems={found.problems} />}
            {found.jobs.some(hasFailed) && <RunFailures key={failuresOf(found)} runId={runId} />}
            {found.jobs.length > 0 && <RunJobs run={found} onRetry={(jobId) => void retry({ mode: 'job', jobId })} />}
            {/* Read again when the run has ended: the last jobs may have stored some. */}
            <RunArtifacts key={String(isLive)} runId={runId} isLive={isLive} />
          </>
        )}
      </AsyncContent>
      {isCanceling && (
        <ConfirmDialog
          title="Cancel the run?"
          act="Cancel the run"
          keep="Keep it running"
          isDangerous
          success="The run is being canceled."
          onAct={cancel}
          close={() => setCanceling(false)}
        >
          <p>Waiting jobs end at once. Running jobs are asked to end. Cancel again to end them at once.</p>
        </ConfirmDialog>
      )}
    </>
  );
};
