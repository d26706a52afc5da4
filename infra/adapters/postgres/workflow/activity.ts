/** Activity of jobs and runners, read with the rights of the query API: through views that show a tenant its own alone. */
import { isLeft, right } from 'fp-ts/Either';
import type { JobActivity, RunnerActivity, WorkflowActivity } from '../../../ports/workflow/activity';
import { toViewFault } from '../pool';
import { ownTenant, readerView } from '../row-level-security';
import { schema } from '../sql';
import type { TenantQueries } from '../tenant-session';
import { claimsTable, runnersTable } from './job-claims-schema';
import { logsTable, stepsTable } from './log-schema';

const jobsView = `${schema}.workflow_job_activity`;
const runnersView = `${schema}.workflow_runner_activity`;
/** Runners send a heartbeat every 5 seconds. */
const reachableSeconds = 15;

export const activityViews: readonly string[] = [
  ...readerView(
    jobsView,
    `select claim.run_id, claim.job_id, claim.until, log.steps_revision,
      (select step ->> 'name' from ${stepsTable} where log_id = log.log_id and step ->> 'status' = 'in_progress'
       order by number desc limit 1) as current_step
    from ${claimsTable} claim
    left join ${logsTable} log on log.job_id = claim.job_id and log.attempt = claim.attempt and log.tenant = claim.tenant
    where claim.state = 'held' and claim.tenant = ${ownTenant}`,
  ),
  ...readerView(
    runnersView,
    `select runner_id, seen, seen > clock_timestamp() - interval '${reachableSeconds} seconds' as is_reachable
    from ${runnersTable} where owner = ${ownTenant}`,
  ),
];

const jobsStatement = {
  name: 'workflow-job-activity',
  text: `select job_id, until, current_step, coalesce(steps_revision, 0) as steps_revision from ${jobsView}
    where run_id = $1 order by job_id`,
};
interface JobActivityRow {
  readonly job_id: JobActivity['jobId'];
  readonly until: Date;
  readonly current_step: string | null;
  readonly steps_revision: number;
}

const runnersStatement = {
  name: 'workflow-runner-activity',
  text: `select runner_id, seen, is_reachable from ${runnersView} where runner_id = any($1)`,
};
interface RunnerActivityRow {
  readonly runner_id: RunnerActivity['runnerId'];
  readonly seen: Date;
  readonly is_reachable: boolean;
}

export const createPostgresActivity = (queryTenant: TenantQueries): WorkflowActivity => ({
  jobs: async (tenantId, runId) => {
    const found = await toViewFault(() => queryTenant<JobActivityRow>(tenantId, { ...jobsStatement, values: [runId] }));
    if (isLeft(found)) return found;
    return right(
      found.right.rows.map((row) => ({
        jobId: row.job_id,
        leaseExpiresAt: row.until.toISOString(),
        currentStep: row.current_step,
        stepsRevision: row.steps_revision,
      })),
    );
  },
  runners: async (tenantId, runnerIds) => {
    const values = [runnerIds];
    const found = await toViewFault(() => queryTenant<RunnerActivityRow>(tenantId, { ...runnersStatement, values }));
    if (isLeft(found)) return found;
    return right(
      found.right.rows.map((row) => ({
        runnerId: row.runner_id,
        lastHeartbeatAt: row.seen.toISOString(),
        isReachable: row.is_reachable,
      })),
    );
  },
});
