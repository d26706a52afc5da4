/** The functions that change many rows of work queues in one round trip. */
import { schema } from '../sql';

export const jobsTable = `${schema}.work_jobs`;
export const now = 'clock_timestamp()';
/** Notifications carry the name of a queue with a job that waits. It may be delayed: workers of a quiet queue poll again from then on. */
export const jobsChannel = 'septet_work_jobs';

/** Adds to the failures of a job, of which the newest twenty stay. */
export const addFailure = (reason: string): string =>
  `failures = jsonb_path_query_array(failures, '$[last - 18 to last]') || jsonb_build_object(
     'attempt', attempts, 'reason', ${reason}, 'at', to_char(${now} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

/** The first of two numbers of the advisory locks that workers hold while they are alive. */
const workerLocks = 7079;
export const workerLock = (worker: string): string => `${workerLocks}, hashtext(${worker})`;

/** Of the locks that workers hold for each queue that they take jobs from. */
const queueLocks = 7080;
export const queueLock = (queue: string): string => `${queueLocks}, hashtext(${queue})`;

/** Whether a worker of the queue is connected. Any role may read which locks are held. */
export const isQueueServed = (queue: string): string => `exists (select from pg_catalog.pg_locks
  where locktype = 'advisory' and granted and classid = ${queueLocks} and objsubid = 2
    and objid::bigint = (hashtext(${queue})::bigint & 4294967295)
    and database = (select oid from pg_catalog.pg_database where datname = current_database()))`;

/** How long a worker that is alive may be late: its machine is busy, or its event loop stands still. */
const lateness = `interval '48 seconds'`;

/**
 * Whether the claim has ended: its worker did not extend it and is gone, or it is too late. The lock is free when no worker of that name is
 * alive. In this order: a claim that has not expired must not be locked.
 */
const hasEnded = `case when until is null or until > ${now} then false
  when until <= ${now} - ${lateness} or worker is null then true
  else pg_try_advisory_xact_lock(${workerLock('worker')}) end`;

const lossOf = `case when worker is null or pg_try_advisory_xact_lock(${workerLock('worker')}) then 'The worker did not return.'
  else 'The worker is alive, but did not renew its claim for a minute: its machine is too busy, or its event loop stood still.' end`;

/**
 * Ends claims whose worker did not extend them and jobs whose deadline has passed. Rows that another session is changing are left for the
 * next sweep.
 */
const sweepJobs = `create or replace function ${schema}.sweep_jobs(of_queue text) returns integer language plpgsql as $$
  declare lost integer; late integer;
  begin
    with gone as (
      select id, ${lossOf} as loss from (
        select id, worker from ${jobsTable} where queue = of_queue and state = 'running' and ${hasEnded}
        for update skip locked) ended)
    update ${jobsTable} job set
        state = case when cancel_requested is not null then 'cancelled'
          when attempts >= most_attempts or deadline <= ${now} then 'dead' else 'waiting' end,
        ended = case when cancel_requested is not null or attempts >= most_attempts or deadline <= ${now} then ${now} end,
        due = ${now} + least(300, 2 ^ attempts) * random() * interval '1 second',
        reason = gone.loss, until = null, ${addFailure('gone.loss')}
      from gone where job.id = gone.id;
    get diagnostics lost = row_count;
    update ${jobsTable} set state = 'dead', ended = ${now}, reason = 'The deadline passed.'
      where id in (select id from ${jobsTable} where queue = of_queue and state = 'waiting' and deadline <= ${now}
        for update skip locked);
    get diagnostics late = row_count;
    return lost + late;
  end $$`;

/**
 * The commit is not waited for on disk. A crash of Postgres may undo the last half second of it: a claim or an extension that is undone is
 * a claim that ended early, so its job is claimed again, and its worker is refused by its token. What is waited for later makes what was
 * written before it durable as well.
 */
const commitWithoutWait = `perform set_config('synchronous_commit', 'off', true);`;

/** Differs from every earlier one of the job, also from those of claims that a crash undid, which a sequence would repeat. */
const newToken = `greatest(job.token + 1, (extract(epoch from ${now}) * 1000000)::bigint)`;

/** Extends claims under their tokens. Of each that is still held: whether its cancellation was requested. */
const extendClaims = `create or replace function ${schema}.extend_claims(
      ids bigint[], tokens bigint[], milliseconds double precision[], fractions real[], details text[])
    returns table (id bigint, token bigint, cancelling boolean) language plpgsql as $$
  #variable_conflict use_column
  begin
    ${commitWithoutWait}
    return query update ${jobsTable} job set until = ${now} + extension.milliseconds * interval '1 millisecond', seen = ${now},
        progress = coalesce(extension.fraction, job.progress),
        progress_detail = coalesce(extension.detail, job.progress_detail)
      from unnest(ids, tokens, milliseconds, fractions, details) as extension (id, token, milliseconds, fraction, detail)
      where job.id = extension.id and job.token = extension.token and job.state = 'running'
      returning job.id, job.token, job.cancel_requested is not null;
  end $$`;

/** The order of `work_jobs_waiting`. Ordered by less, Postgres would read past all jobs that have ended, in another index or in none. */
const waitingOrder = 'queue, tenant, priority desc, due, id';

/** Tenants that have something waiting, found one by one in the index. */
const tenants = `tenants as (
    (select tenant from ${jobsTable} where queue = of_queue and state = 'waiting' order by ${waitingOrder} limit 1)
    union all
    select (select tenant from ${jobsTable} where queue = of_queue and state = 'waiting'
      and tenant > tenants.tenant order by ${waitingOrder} limit 1)
    from tenants where tenants.tenant is not null)`;

/** Of each tenant the next few, numbered on from what it has running: the lowest numbers of all tenants are next. */
const candidates = `candidates as (
    select job.id, coalesce(busy.count, 0) + job.nth as turn, job.priority, job.due
    from tenants left join busy using (tenant)
    cross join lateral (
      select id, priority, due, row_number() over (order by priority desc, due, id) as nth from (
        select id, priority, due from ${jobsTable}
        where queue = of_queue and tenant = tenants.tenant and state = 'waiting' and due <= ${now}
          and (deadline is null or deadline > ${now})
        order by ${waitingOrder} limit most) ready) job
    where coalesce(busy.count, 0) + job.nth <= per_tenant
    order by turn, job.priority desc, job.due, job.id
    limit least(most, greatest(0, concurrency - (select coalesce(sum(count), 0) from busy))))`;

const returnIfNoneWaits = `perform from ${jobsTable} where queue = of_queue and state = 'waiting'
      order by ${waitingOrder} limit 1;
    if not found then return; end if;`;

/**
 * One statement for the client, several for Postgres: the lock is waited for before the snapshot that the limits are checked against is
 * taken. Claims of one queue are serialised, so that its limits hold across processes.
 */
const claimJobs = `create or replace function ${schema}.claim_jobs(
      of_queue text, by_worker text, most integer, concurrency integer, per_tenant integer, milliseconds double precision)
    returns setof ${jobsTable} language plpgsql as $$
  #variable_conflict use_column
  begin
    -- One job wakes all workers: those that come late must not wait for each other, and those that waited find it claimed.
    ${returnIfNoneWaits}
    ${commitWithoutWait}
    perform pg_advisory_xact_lock(hashtextextended(of_queue, 11));
    ${returnIfNoneWaits}
    return query with recursive ${tenants},
      busy as (select tenant, count(*) from ${jobsTable} where queue = of_queue and state = 'running' group by tenant),
      ${candidates},
      chosen as (select waiting.id, candidates.turn from ${jobsTable} waiting join candidates using (id)
        where waiting.state = 'waiting' for update of waiting skip locked),
      claimed as (
        update ${jobsTable} job set state = 'running', attempts = attempts + 1, token = ${newToken},
          until = ${now} + milliseconds * interval '1 millisecond', worker = by_worker, claimed = ${now}, seen = ${now},
          progress = null, progress_detail = null
        from chosen where job.id = chosen.id
        returning chosen.turn, job as row)
      select (claimed.row).* from claimed order by claimed.turn, (claimed.row).priority desc, (claimed.row).id;
  end $$`;

export const workQueueFunctions: readonly string[] = [
  sweepJobs,
  claimJobs,
  extendClaims,
  `revoke execute on function ${schema}.sweep_jobs, ${schema}.claim_jobs, ${schema}.extend_claims from public`,
];
