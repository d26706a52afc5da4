/**
 * Claims of jobs in Postgres, timed by its clock. One claim at a time, whichever copy makes it: limits that span many rows are checked under
 * one lock, which a claim holds for about a millisecond.
 */
import type { ClaimBounds, ClaimingRunner, JobClaims, JobLease, QueuedJob } from '../../../ports/workflow/job-claims';
import { attempted, type PoolSource, rowsOf, transaction, useDurablePool } from '../pool';
import { listenForJobs } from '../processes/work-queue-listener';
import { claimsChannel, claimsTable, epochs, organizationsTable, runnersTable, usageTable } from './job-claims-schema';
import { checksOf, quotaStatementOf, usageOf } from './waiting-jobs';

/** From weak to strong: a runner takes jobs that need at most what it has. */
const strengths: { readonly [Kind in QueuedJob['isolation']]: number } = { none: 0, bwrap: 1, container: 2, vm: 3 };

/** Advisory lock of claims. */
const turn = 'select pg_advisory_xact_lock(7078)';
const notify = `pg_notify('${claimsChannel}', 'jobs')`;
const term = (parameter: string): string => `clock_timestamp() + ${parameter} * interval '1 millisecond'`;

const enqueueStatement = {
  name: 'enqueue-workflow-jobs',
  text: `with added as (
      insert into ${claimsTable} as existing (run_id, job_id, tenant, attempt, repo_id, definition_id, matrix_key, max_parallel, labels,
        isolation, priority, epoch)
      select "runId", "jobId", "tenantId", attempt, "repoId", "workflowDefinitionId", "matrixKey", "maxParallel", labels, isolation,
        priority, "lastEpoch"
      from json_to_recordset($1::json) as job ("runId" text, "jobId" text, "tenantId" text, attempt integer, "repoId" text,
        "workflowDefinitionId" text, "matrixKey" text, "maxParallel" integer, labels text[], isolation smallint, priority integer,
        "lastEpoch" bigint)
      on conflict (run_id, job_id) do update set attempt = excluded.attempt, state = 'waiting', labels = excluded.labels,
        isolation = excluded.isolation, priority = excluded.priority, epoch = greatest(existing.epoch, excluded.epoch),
        enqueued = clock_timestamp(), runner_id = null, managed = null, claimed = null, until = null
      where existing.attempt < excluded.attempt
      returning 1)
    select ${notify} from (select count(*) as n from added) counted where n > 0`,
};

const recordSeenStatement = {
  name: 'see-workflow-runners',
  text: `insert into ${runnersTable} as existing (runner_id, tenant, owner, labels, isolation, seen)
    select "runnerId", "tenantId", owner, labels, isolation, clock_timestamp()
    from json_to_recordset($1::json) as runner ("runnerId" text, "tenantId" text, owner text, labels text[], isolation smallint)
    on conflict (runner_id) do update set tenant = excluded.tenant, owner = excluded.owner, labels = excluded.labels,
      isolation = excluded.isolation, seen = excluded.seen`,
};

const seenStatement = {
  name: 'see-workflow-runner',
  text: `insert into ${runnersTable} as existing (runner_id, tenant, labels, isolation, seen)
    values ($1, $2, $3, $4, clock_timestamp())
    on conflict (runner_id) do update set tenant = excluded.tenant, labels = excluded.labels, isolation = excluded.isolation,
      seen = excluded.seen
    where existing.seen < clock_timestamp() - interval '5 seconds' or existing.labels <> excluded.labels`,
};

/**
 * Organizations in turn: the one with the fewest running jobs, then the one served longest ago. Priorities count within it, one more for
 * every five minutes of waiting.
 */
const claimStatementOf = (bounds: ClaimBounds) => ({
  name: 'claim-workflow-job',
  text: `with ${usageOf},
    candidates as (select ${checksOf(bounds)} and waits.labels <@ $2::text[] and waits.isolation <= $3
      and ($4::text is null or waits.tenant = $4)),
    best as (
      select run_id, job_id from candidates
      where not (org_full or repo_full or workflow_full or matrix_full or (quota_spent and $5))
      order by org_running, served, tenant, aged_priority desc, enqueued, job_id limit 1),
    claimed as (
      update ${claimsTable} taken set state = 'held', epoch = greatest(taken.epoch + 1, nextval('${epochs}')), runner_id = $1,
        managed = $5, claimed = clock_timestamp(), until = ${term('$6')}
      from best where taken.run_id = best.run_id and taken.job_id = best.job_id
      returning taken.tenant as "tenantId", taken.run_id as "runId", taken.job_id as "jobId", taken.attempt, taken.epoch,
        taken.runner_id as "runnerId"),
    served as (
      insert into ${organizationsTable} (tenant, served) select "tenantId", clock_timestamp() from claimed
      on conflict (tenant) do update set served = excluded.served)
    select * from claimed`,
});

/** A row that waits again is not that lease's any more: only a removal without an epoch takes it. */
const removeStatement = {
  name: 'remove-workflow-claim',
  text: `with gone as (
      delete from ${claimsTable} where tenant = $1 and run_id = $2 and job_id = $3
        and ($4::bigint is null or (state <> 'waiting' and epoch <= $4))
      returning tenant, state, managed, claimed),
    used as (
      insert into ${usageTable} as existing
      select tenant, date_trunc('month', clock_timestamp() at time zone 'UTC')::date, extract(epoch from clock_timestamp() - claimed)
      from gone where managed and state <> 'waiting'
      on conflict (tenant, month) do update set seconds = existing.seconds + excluded.seconds)
    select ${notify} from gone where state <> 'waiting'`,
};

const releaseStatement = {
  name: 'give-back-workflow-claim',
  text: `with back as (
      update ${claimsTable} set state = 'waiting', runner_id = null, managed = null, claimed = null, until = null
      where run_id = $1 and job_id = $2 and epoch = $3 and state <> 'waiting' returning 1)
    select ${notify} from back`,
};

const leaseColumns = `tenant as "tenantId", run_id as "runId", job_id as "jobId", attempt, epoch, runner_id as "runnerId"`;

const renewStatement = {
  name: 'renew-workflow-leases',
  text: `with renewed as (
      update ${claimsTable} held set until = ${term('$5')}
      from unnest($1::text[], $2::text[], $3::bigint[], $4::text[]) as lease (run, job, epoch, runner)
      where held.run_id = run and held.job_id = job and held.epoch = lease.epoch and held.runner_id = runner and held.state = 'held'
      returning held.*),
    seen as (update ${runnersTable} set seen = clock_timestamp() where runner_id in (select runner_id from renewed))
    select ${leaseColumns} from renewed`,
};

/** A swept lease cannot be renewed any more, so that a late heartbeat loses. */
const sweepStatement = {
  name: 'sweep-workflow-leases',
  text: `update ${claimsTable} set state = 'expired' where state = 'held' and until < clock_timestamp()`,
};
const expiredStatement = {
  name: 'expired-workflow-leases',
  text: `select ${leaseColumns} from ${claimsTable} where state = 'expired' order by until limit $1`,
};

const missingStatement = {
  name: 'missing-workflow-claims',
  text: `select place::integer from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as expected (run, job, epoch, place)
    where not exists (select from ${claimsTable} known where known.run_id = run and known.job_id = job
      and (expected.epoch is null or (known.epoch = expected.epoch and known.state <> 'waiting')))
    order by place`,
};

const limitsStatement = {
  name: 'limit-workflow-organization',
  text: `insert into ${organizationsTable} as existing (tenant, concurrent_jobs, seconds_per_month, configured) values ($1, $2, $3, $4)
    on conflict (tenant) do update set concurrent_jobs = excluded.concurrent_jobs, seconds_per_month = excluded.seconds_per_month,
      configured = excluded.configured
    where coalesce(existing.configured, '') <= excluded.configured`,
};
const notifyStatement = { name: 'notify-workflow-claims', text: `select ${notify}` };

const lowerCase = (labels: readonly string[]): readonly string[] => labels.map((label) => label.toLowerCase());

const rowOf = ({ matrix, labels, isolation, lastEpoch = 0, ...job }: QueuedJob) => ({
  ...job,
  lastEpoch,
  labels: lowerCase(labels),
  isolation: strengths[isolation],
  matrixKey: matrix?.key ?? null,
  maxParallel: matrix?.maxParallel ?? null,
});

/** `bigint` arrives as text. */
type LeaseRow = Omit<JobLease, 'epoch'> & { readonly epoch: string };
const leaseOf = ({ epoch, ...row }: LeaseRow): JobLease => ({ ...row, epoch: Number(epoch) });

export type JobClaimsOptions = PoolSource & { readonly bounds: ClaimBounds };

export const openPostgresJobClaims = (options: JobClaimsOptions): JobClaims => {
  const { bounds, ...source } = options;
  const { leaseMilliseconds } = bounds;
  const claimStatement = claimStatementOf(bounds);
  const quotaStatement = quotaStatementOf(bounds);
  const { pool, end } = useDurablePool(source, { connections: 6, name: 'septet-claims' });
  const stopping = new AbortController();
  const listening = new Set<Promise<void>>();
  const attempt = <A>(work: () => Promise<A>) => attempted('job-claims-unavailable', work);

  const claim = (runner: ClaimingRunner) =>
    attempt(async () => {
      const { runnerId, tenantId, type } = runner;
      const [labels, isolation] = [lowerCase(runner.labels), strengths[runner.isolation]];
      const claimed = transaction(pool, async (client) => {
        await client.query(turn);
        const values = [runnerId, labels, isolation, tenantId, type === 'managed', leaseMilliseconds];
        const { rows } = await client.query<LeaseRow>({ ...claimStatement, values });
        return rows[0] === undefined ? undefined : leaseOf(rows[0]);
      });
      const [lease] = await Promise.all([
        claimed,
        rowsOf(pool, seenStatement, [runnerId, tenantId, labels, isolation]),
      ]);
      return lease;
    });

  return {
    enqueue: (jobs) =>
      attempt(async () => void (await rowsOf(pool, enqueueStatement, [JSON.stringify(jobs.map(rowOf))]))),
    recordSeen: (runners) =>
      attempt(async () => {
        const rows = runners.map(({ runnerId, tenantId, owner, labels, isolation }) => ({
          runnerId,
          tenantId,
          owner,
          labels: lowerCase(labels),
          isolation: strengths[isolation],
        }));
        await rowsOf(pool, recordSeenStatement, [JSON.stringify(rows)]);
      }),
    claim,
    remove: ({ tenantId, runId, jobId, epoch }) =>
      attempt(async () => void (await rowsOf(pool, removeStatement, [tenantId, runId, jobId, epoch]))),
    release: ({ runId, jobId, epoch }) =>
      attempt(async () => void (await rowsOf(pool, releaseStatement, [runId, jobId, epoch]))),
    renew: (leases) =>
      attempt(async () => {
        if (leases.length === 0) return [];
        const columns = [
          leases.map(({ runId }) => runId),
          leases.map(({ jobId }) => jobId),
          leases.map(({ epoch }) => epoch),
          leases.map(({ runnerId }) => runnerId),
        ];
        const rows = await rowsOf<LeaseRow>(pool, renewStatement, [...columns, leaseMilliseconds]);
        return rows.map(leaseOf);
      }),
    expired: (most) =>
      attempt(async () => {
        await rowsOf(pool, sweepStatement, []);
        return (await rowsOf<LeaseRow>(pool, expiredStatement, [most])).map(leaseOf);
      }),
    missing: (expected) =>
      attempt(async () => {
        if (expected.length === 0) return [];
        const columns = [
          expected.map(({ runId }) => runId),
          expected.map(({ jobId }) => jobId),
          expected.map(({ epoch }) => epoch),
        ];
        const rows = await rowsOf<{ readonly place: number }>(pool, missingStatement, columns);
        return rows.flatMap(({ place }) => expected[place - 1] ?? []);
      }),
    watch: (notified) => {
      const closing = new AbortController();
      const signal = AbortSignal.any([closing.signal, stopping.signal]);
      const running = listenForJobs(pool, { queues: ['jobs'], channel: claimsChannel, notify: notified, signal });
      listening.add(running);
      void running.finally(() => listening.delete(running));
      return { close: () => closing.abort() };
    },
    isQuotaSpent: (tenantId, jobs) =>
      attempt(async () => {
        const requirements = jobs.map(({ labels, isolation }) => ({
          labels: lowerCase(labels),
          isolation: strengths[isolation],
        }));
        const [row] = await rowsOf<{ isSpent: boolean }>(pool, quotaStatement, [
          tenantId,
          JSON.stringify(requirements),
        ]);
        return row?.isSpent === true;
      }),
    setLimits: ({ tenantId, concurrentJobs, secondsPerMonth, at }) =>
      attempt(async () => {
        await rowsOf(pool, limitsStatement, [tenantId, concurrentJobs, secondsPerMonth, at]);
        await rowsOf(pool, notifyStatement, []);
      }),
    close: async () => {
      stopping.abort();
      await Promise.all(listening);
      await end();
    },
  };
};
