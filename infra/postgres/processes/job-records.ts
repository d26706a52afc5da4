/** What tenants and operators see of jobs, and what they change: cancel, retry, and dead letters. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { DeadLetter, JobQuery, JobRecord, JobState, WorkFault, WorkQueue } from '../../ports/processes/work-queue';
import { attempted, rowsOf } from '../pool';
import { jobsChannel, jobsTable, now } from './work-queue-schema';

export type JobRecords = Pick<
  WorkQueue,
  'listJobs' | 'findJob' | 'cancelJob' | 'retryJob' | 'deadLetters' | 'replay' | 'drop'
>;

/** States as they are shown, by the rows that have them. */
const conditions: Readonly<Record<JobState, string>> = {
  delayed: `state = 'waiting' and due > ${now}`,
  waiting: `state = 'waiting' and due <= ${now}`,
  running: `state = 'running' and until > ${now}`,
  lost: `state = 'running' and until <= ${now}`,
  done: `state = 'done'`,
  dead: `state = 'dead'`,
  cancelled: `state = 'cancelled'`,
  dropped: `state = 'dropped'`,
};

const columns = `id, queue, coalesce(kind, queue) as kind, key, tenant, cause ->> 'correlationId' as "correlationId",
    case when ${conditions.delayed} then 'delayed' when ${conditions.lost} then 'lost' else state end as state, priority, attempts,
    most_attempts as "mostAttempts", progress, progress_detail as "progressDetail", worker, claimed, seen, enqueued, due, deadline,
    ended, cancel_requested is not null and state = 'running' as "isCancelRequested", reason, failures`;

const ofTenant = (parameter: string): string => `(${parameter}::text is null or tenant = ${parameter})`;

const oneJob = { name: 'one-job', text: `select ${columns} from ${jobsTable} where id = $1 and ${ofTenant('$2')}` };

/** One prepared statement per state, so that each can use the index of that state. */
const jobsIn = (state: JobState | undefined) => ({
  name: `jobs-${state ?? 'all'}`,
  text: `select ${columns} from ${jobsTable}
    where ${ofTenant('$1')} and ($2::text is null or queue = $2) and ($3::text is null or coalesce(kind, queue) = $3)
      and ($4::bigint is null or id < $4)${state === undefined ? '' : ` and ${conditions[state]}`}
    order by id desc limit $5`,
});

const maxPositions = 10_000;

/** In the order in which claims take them: tenants in turn. $1 queues, $2 jobs. Of long queues there is no answer. */
const positions = {
  name: 'positions-of-jobs',
  text: `with short as (
      select name from unnest($1::text[]) name where ${maxPositions} >= (
        select count(*) from (select from ${jobsTable} where queue = name and state = 'waiting' limit ${maxPositions + 1}) counted)),
    busy as (select queue, tenant, count(*) from ${jobsTable} join short on queue = name where state = 'running' group by 1, 2),
    turns as (
      select id, queue, priority, due,
        coalesce(count, 0) + row_number() over (partition by queue, tenant order by priority desc, due, id) as turn
      from ${jobsTable} join short on queue = name left join busy using (queue, tenant)
      where ${conditions.waiting}),
    places as (
      select id, row_number() over (partition by queue order by turn, priority desc, due, id) as position from turns)
    select id, position from places where id = any($2::bigint[])`,
};

const cancelStatement = {
  name: 'cancel-job',
  text: `update ${jobsTable} set cancel_requested = coalesce(cancel_requested, ${now}),
      ended = case when state = 'waiting' then ${now} end, state = case when state = 'waiting' then 'cancelled' else state end
    where id = $1 and ${ofTenant('$2')} and state in ('waiting', 'running') returning state`,
};

const retryStatement = {
  name: 'retry-job',
  text: `with again as (
      update ${jobsTable} set state = 'waiting', attempts = 0, due = ${now}, ended = null, deadline = null,
        cancel_requested = null, progress = null, progress_detail = null
      where id = $1 and ${ofTenant('$2')} and state = any($3) returning id, queue)
    select id, pg_notify('${jobsChannel}', queue) from again`,
};

const dropStatement = {
  name: 'drop-job',
  text: `update ${jobsTable} set state = 'dropped', ended = ${now}
    where id = $1 and ${ofTenant('$2')} and state = 'dead' returning id`,
};

const deadLetters = {
  name: 'dead-letters',
  text: `select id, queue, key, tenant, attempts, reason, ended, failures, cause ->> 'correlationId' as "correlationId"
    from ${jobsTable}
    where state = 'dead' and ${ofTenant('$1')} and ($2::bigint is null or id < $2)
    order by id desc limit $3`,
};

type Derived = 'position' | 'progress' | 'claimedAt' | 'seenAt' | 'enqueuedAt' | 'notBefore' | 'deadline' | 'endedAt';

interface RecordRow extends Omit<JobRecord, Derived> {
  readonly progress: number | null;
  readonly progressDetail: string | null;
  readonly claimed: Date | null;
  readonly seen: Date | null;
  readonly enqueued: Date;
  readonly due: Date;
  readonly deadline: Date | null;
  readonly ended: Date | null;
}

const recordOf = (
  { progress, progressDetail, claimed, seen, enqueued, due, deadline, ended, ...row }: RecordRow,
  position: number | null,
): JobRecord => ({
  ...row,
  position,
  progress: progress === null ? null : { fraction: progress, detail: progressDetail ?? '' },
  claimedAt: claimed?.toISOString() ?? null,
  seenAt: seen?.toISOString() ?? null,
  enqueuedAt: enqueued.toISOString(),
  notBefore: due.toISOString(),
  deadline: deadline?.toISOString() ?? null,
  endedAt: ended?.toISOString() ?? null,
});

interface DeadRow extends Omit<DeadLetter, 'diedAt'> {
  readonly ended: Date;
}

/** Other texts are no ids, and name nothing. */
const isId = (id: string): boolean => /^\d{1,18}$/.test(id);

export const createJobRecords = (pool: Pool): JobRecords => {
  const attempt = <A>(work: () => Promise<A>) => attempted('work-queue-unavailable', work);

  const withPositions = async (rows: readonly RecordRow[]): Promise<readonly JobRecord[]> => {
    const waiting = rows.filter(({ state }) => state === 'waiting');
    const queues = [...new Set(waiting.map(({ queue }) => queue))];
    const values = [queues, waiting.map(({ id }) => id)];
    const found = waiting.length === 0 ? [] : await rowsOf<{ id: string; position: string }>(pool, positions, values);
    const byId = new Map(found.map(({ id, position }) => [id, Number(position)]));
    return rows.map((row) => recordOf(row, byId.get(row.id) ?? null));
  };

  const changed = async (
    statement: { readonly name: string; readonly text: string },
    id: string,
    more: readonly unknown[],
  ): Promise<Either<WorkFault, boolean>> => {
    if (!isId(id)) return right(false);
    const rows = await attempt(() => rowsOf(pool, statement, [id, ...more]));
    return isLeft(rows) ? rows : right(rows.right.length > 0);
  };

  const findJob = (id: string, tenant: string | undefined) =>
    attempt(async () => (await withPositions(await rowsOf<RecordRow>(pool, oneJob, [id, tenant ?? null])))[0]);

  return {
    listJobs: async ({ tenant, queue, kind, state, before, limit }: JobQuery) => {
      if (before !== undefined && !isId(before)) return right([]);
      const values = [tenant ?? null, queue ?? null, kind ?? null, before ?? null, limit];
      return attempt(async () => withPositions(await rowsOf<RecordRow>(pool, jobsIn(state), values)));
    },
    findJob: async (id, tenant) => (isId(id) ? findJob(id, tenant) : right(undefined)),
    cancelJob: async (id, tenant) => {
      if (!isId(id)) return right('unknown');
      const rows = await attempt(() => rowsOf<{ state: string }>(pool, cancelStatement, [id, tenant ?? null]));
      if (isLeft(rows)) return rows;
      const [row] = rows.right;
      if (row !== undefined) return right(row.state === 'cancelled' ? 'cancelled' : 'requested');
      const job = await findJob(id, tenant);
      return isLeft(job) ? job : right(job.right === undefined ? 'unknown' : 'ended');
    },
    retryJob: (id, tenant) => changed(retryStatement, id, [tenant ?? null, ['dead', 'cancelled']]),
    replay: (id, tenant) => changed(retryStatement, id, [tenant ?? null, ['dead']]),
    drop: (id, tenant) => changed(dropStatement, id, [tenant ?? null]),
    deadLetters: async ({ tenant, before, limit }) => {
      if (before !== undefined && !isId(before)) return right([]);
      const values = [tenant ?? null, before ?? null, limit];
      const rows = await attempt(() => rowsOf<DeadRow>(pool, deadLetters, values));
      if (isLeft(rows)) return rows;
      return right(rows.right.map(({ ended, ...row }) => ({ ...row, diedAt: ended.toISOString() })));
    },
  };
};
