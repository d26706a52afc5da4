/** Why jobs wait: the first check that fails, in the order of the scheduler. */
import { isLeft, right } from 'fp-ts/Either';
import { claimBounds } from '../../../../domain/workflow/limits';
import type { Membership } from '../../../ports/workflow/concurrency-groups';
import type { ClaimBounds } from '../../../ports/workflow/job-claims';
import type { WaitingJob, WaitingJobs } from '../../../ports/workflow/waiting-jobs';
import { attempted } from '../pool';
import { ownTenant, readerView } from '../row-level-security';
import { readerRole, schema } from '../sql';
import type { TenantQueries } from '../tenant-session';
import { claimsTable, groupsTable, organizationsTable, runnersTable, usageTable } from './job-claims-schema';

/** A runner without a poll or a renewal for so long does not count. */
const seenSeconds = 60;

/** What counts against limits. The month is the calendar's in UTC. */
export const usageOf = `
  busy as materialized (select tenant, repo_id, definition_id, run_id, job_id, matrix_key, managed, claimed from ${claimsTable} where state <> 'waiting'),
  per_org as (select tenant, count(*) as n from busy group by 1),
  per_repo as (select tenant, repo_id, count(*) as n from busy group by 1, 2),
  per_workflow as (select tenant, definition_id, count(distinct run_id) as n from busy group by 1, 2),
  per_run as (select run_id from busy group by 1),
  per_matrix as (select run_id, matrix_key, count(*) as n from busy where matrix_key is not null group by 1, 2),
  running_seconds as (
    select tenant, sum(extract(epoch from clock_timestamp() - claimed)) as seconds from busy where managed group by 1),
  spent as (
    select tenant, coalesce(used.seconds, 0) + coalesce(running.seconds, 0) as seconds
    from (select tenant, seconds from ${usageTable} where month = date_trunc('month', clock_timestamp() at time zone 'UTC')::date) used
    full join running_seconds running using (tenant))`;

const quotaSpentOf = (bounds: ClaimBounds): string =>
  `coalesce(spent.seconds, 0) >= case when org.configured is null then ${bounds.secondsPerMonth}
      else coalesce(org.seconds_per_month, 'infinity'::numeric) end`;

/** The checks, each a column of a row of `candidates`. */
export const checksOf = (bounds: ClaimBounds): string => `
    waits.*, coalesce(per_org.n, 0) as org_running,
    coalesce(per_org.n, 0) >= coalesce(org.concurrent_jobs, ${bounds.concurrentJobs}) as org_full,
    coalesce(per_repo.n, 0) >= ${bounds.jobsPerRepository} as repo_full,
    per_run.run_id is null and coalesce(per_workflow.n, 0) >= ${bounds.runsPerWorkflow} as workflow_full,
    waits.matrix_key is not null and coalesce(per_matrix.n, 0) >= waits.max_parallel as matrix_full,
    ${quotaSpentOf(bounds)} as quota_spent,
    coalesce(org.served, '-infinity') as served,
    waits.priority + floor(extract(epoch from clock_timestamp() - waits.enqueued) / 300) as aged_priority
  from ${claimsTable} waits
  left join ${organizationsTable} org using (tenant)
  left join per_org using (tenant)
  left join spent using (tenant)
  left join per_repo on per_repo.tenant = waits.tenant and per_repo.repo_id = waits.repo_id
  left join per_workflow on per_workflow.tenant = waits.tenant and per_workflow.definition_id = waits.definition_id
  left join per_run on per_run.run_id = waits.run_id
  left join per_matrix on per_matrix.run_id = waits.run_id and per_matrix.matrix_key = waits.matrix_key
  where waits.state = 'waiting'`;

/** $1 tenant, $2 labels and isolation of jobs, as JSON. A job with the label `self-hosted` waits for such a runner. */
export const quotaStatementOf = (bounds: ClaimBounds) => ({
  name: 'workflow-quota',
  text: `with ${usageOf},
    own as (select labels, isolation from ${runnersTable}
      where tenant = $1 and seen > clock_timestamp() - ${seenSeconds} * interval '1 second')
    select ${quotaSpentOf(bounds)} and exists (
      select from json_to_recordset($2::json) as job (labels text[], isolation smallint)
      where 'self-hosted' <> all(job.labels)
        and not exists (select from own where job.labels <@ own.labels and own.isolation >= job.isolation)) as "isSpent"
    from (select $1::text as tenant) this
    left join ${organizationsTable} org using (tenant)
    left join spent using (tenant)`,
});

const membersView = `${schema}.workflow_group_members`;
const waitingFunction = `${schema}.workflow_waiting_jobs`;

/** $1 run or null. Limits count jobs of all tenants, and managed runners are the platform's, so the function reads them with its owner's rights. */
const waitingQuery = (bounds: ClaimBounds): string => `with ${usageOf},
    candidates as (select ${checksOf(bounds)} and waits.tenant = ${ownTenant}),
    placed as (select *, row_number() over (order by aged_priority desc, enqueued, job_id) as position from candidates),
    seen as (select tenant, labels, isolation from ${runnersTable}
      where seen > clock_timestamp() - ${seenSeconds} * interval '1 second' and (tenant is null or tenant = ${ownTenant}))
    select job_id as "jobId", position::integer, org_full as "orgFull", repo_full as "repoFull", workflow_full as "workflowFull",
      matrix_full as "matrixFull", quota_spent as "quotaSpent", max_parallel as "maxParallel", org_running::integer as "orgRunning",
      exists (select from seen where placed.labels <@ seen.labels and seen.isolation >= placed.isolation) as "hasRunner",
      exists (select from seen where placed.labels <@ seen.labels) as "hasLabels",
      array(select label from unnest(placed.labels) label
        where not exists (select from seen where label = any(seen.labels))) as "missing"
    from placed where $1 is null or run_id = $1 order by position`;

export const waitingViews: readonly string[] = [
  `create or replace function ${waitingFunction}(run text) returns table (
     "jobId" text, "position" integer, "orgFull" boolean, "repoFull" boolean, "workflowFull" boolean, "matrixFull" boolean,
     "quotaSpent" boolean, "maxParallel" integer, "orgRunning" integer, "hasRunner" boolean, "hasLabels" boolean, missing text[])
   language sql security definer set search_path = pg_catalog, pg_temp as $$ ${waitingQuery(claimBounds)} $$`,
  `revoke execute on function ${waitingFunction} from public`,
  `grant execute on function ${waitingFunction} to ${readerRole}`,
  ...readerView(
    membersView,
    `select run_id, nullif(job_id, '') as "jobId", name, standing from ${groupsTable} where tenant = ${ownTenant}`,
  ),
];

const waitingStatement = { name: 'waiting-workflow-jobs', text: `select * from ${waitingFunction}($1)` };
const groupsStatement = {
  name: 'groups-of-waiting-run',
  text: `select "jobId", name, standing from ${membersView} where run_id = $1`,
};

interface WaitingRow {
  readonly jobId: WaitingJob['jobId'];
  readonly position: number;
  readonly orgFull: boolean;
  readonly repoFull: boolean;
  readonly workflowFull: boolean;
  readonly matrixFull: boolean;
  readonly quotaSpent: boolean;
  readonly maxParallel: number | null;
  readonly orgRunning: number;
  readonly hasRunner: boolean;
  readonly hasLabels: boolean;
  readonly missing: readonly string[];
}

const noRunnerDetail = ({ missing, hasLabels }: WaitingRow): string => {
  if (missing.length === 1)
    return `No runner has the label ${missing.join()}. The job starts when a runner with this label connects.`;
  if (missing.length > 1)
    return `No runner has the labels ${missing.join(', ')}. The job starts when a runner with these labels connects.`;
  return hasLabels
    ? 'No runner isolates jobs as strictly as the organization asks. The job starts when a runner that does connects.'
    : 'No runner has all of the labels. The job starts when a runner that has them all connects.';
};

const waitingJobOf = (row: WaitingRow): WaitingJob => {
  const { jobId, position } = row;
  if (!row.hasRunner) return { jobId, position, reason: 'no_matching_runner', detail: noRunnerDetail(row) };
  if (row.quotaSpent)
    return {
      jobId,
      position,
      reason: 'quota_exceeded',
      detail: 'The minutes of this month on managed runners are spent.',
    };
  if (row.orgFull)
    return {
      jobId,
      position,
      reason: 'org_limit',
      detail: `${row.orgRunning} jobs of the organization run, as many as may.`,
    };
  if (row.repoFull)
    return {
      jobId,
      position,
      reason: 'repo_limit',
      detail: `${claimBounds.jobsPerRepository} jobs of the repository run.`,
    };
  if (row.workflowFull)
    return {
      jobId,
      position,
      reason: 'workflow_limit',
      detail: `${claimBounds.runsPerWorkflow} runs of the workflow run.`,
    };
  if (row.matrixFull)
    return { jobId, position, reason: 'matrix_limit', detail: `${row.maxParallel} jobs of the matrix run at once.` };
  return { jobId, position, reason: 'capacity', detail: 'Every runner that could take it is busy.' };
};

export const createPostgresWaitingJobs = (queryTenant: TenantQueries): WaitingJobs => ({
  claims: async ({ tenantId, runId = null }) => {
    const rows = await attempted('job-claims-unavailable', () =>
      queryTenant<WaitingRow>(tenantId, { ...waitingStatement, values: [runId] }),
    );
    return isLeft(rows) ? rows : right(rows.right.rows.map(waitingJobOf));
  },
  groups: (tenantId, runId) =>
    attempted('concurrency-groups-unavailable', async () => {
      const { rows } = await queryTenant<Membership>(tenantId, { ...groupsStatement, values: [runId] });
      return rows;
    }),
});
