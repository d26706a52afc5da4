/** Whether the views of a run have the statuses that viewers of its logs see. */
import { fold } from '../../../domain/kernel/decider';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import type { RunEvent } from '../../../domain/workflow/run/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { Projection } from '../../../projections/kernel/projection';
import { jobAttemptsProjection } from '../../../projections/workflow/job-attempts/project';
import { jobsProjection } from '../../../projections/workflow/jobs/project';
import { runsProjection } from '../../../projections/workflow/runs/project';
import { rowsAfter } from '../../identity/projections/rows';

interface StatusRow {
  readonly runId: string;
  readonly jobId?: string;
  readonly attempt: number;
  readonly status: string;
}

const rowsOf = async (projection: Projection, log: readonly StoredEvent[], tenant: string) =>
  (await rowsAfter(projection, [log], tenant)) as readonly StatusRow[];

/** Statuses by what has them: the run, each job, and the attempt of each that a runner has or had. */
const statusesInViews = async (log: readonly StoredEvent[], tenant: string): Promise<ReadonlyMap<string, string>> => {
  const [runs, jobs, attempts] = [
    await rowsOf(runsProjection, log, tenant),
    await rowsOf(jobsProjection, log, tenant),
    await rowsOf(jobAttemptsProjection, log, tenant),
  ];
  return new Map([
    ...runs.map(({ runId, status }) => [runId, status] as const),
    ...jobs.map(({ jobId, status }) => [`${jobId}`, status] as const),
    ...attempts.map(({ jobId, attempt, status }) => [`${jobId} ${attempt}`, status] as const),
  ]);
};

/** Of one run, recorded by `log`. Empty when they agree. */
export const differingStatuses = async (
  history: readonly RunEvent[],
  log: readonly StoredEvent[],
  tenant: string,
): Promise<readonly string[]> => {
  const state = fold(runDecider, runDecider.initial, history);
  if (state.kind === 'none') return [];
  const seen = await statusesInViews(log, tenant);
  const expected: [string, string][] = [[state.request.runId, state.viewStatus]];
  for (const [jobId, { attempt, status, viewStatus }] of state.jobs) {
    expected.push([jobId, viewStatus]);
    const ofAttempt = `${jobId} ${attempt}`;
    // Before its assignment the attempt has no row.
    if (seen.has(ofAttempt) && status !== 'created' && status !== 'queued') expected.push([ofAttempt, viewStatus]);
  }
  return expected
    .filter(([of, status]) => seen.get(of) !== status)
    .map(([of, status]) => `${of}: logs say ${status}, views say ${seen.get(of)}`);
};
