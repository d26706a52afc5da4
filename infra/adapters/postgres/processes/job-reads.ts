/**
 * Jobs as their tenant and operators see them: from the table for what changes jobs, and for the query API from views that leave out
 * payloads and what its tenant may not see.
 */
import { isLeft, right } from 'fp-ts/Either';
import type { QueryResultRow } from 'pg';
import type {
  DeadLetter,
  JobLookup,
  JobQuery,
  JobReader,
  JobRecord,
  JobState,
} from '../../../ports/processes/work-queue';
import { attempted } from '../pool';
import { allowedTenant, readerView } from '../row-level-security';
import { readerRole, schema } from '../sql';
import { isQueueServed, jobsTable, now } from './work-queue-schema';

const recordsView = `${schema}.platform_job_records`;
const positionsFunction = `${schema}.platform_job_positions`;

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

export const ofTenant = (parameter: string): string => `(${parameter}::text is null or tenant = ${parameter})`;

const maxPositions = 10_000;

/** In the order in which claims take them: tenants in turn. Of long queues there is no answer. */
const positionsOf = (queues: string, ids: string): string => `with short as (
      select name from unnest(${queues}) name where ${maxPositions} >= (
        select count(*) from (select from ${jobsTable} where queue = name and state = 'waiting' limit ${maxPositions + 1}) counted)),
    busy as (select queue, tenant, count(*) from ${jobsTable} join short on queue = name where state = 'running' group by 1, 2),
    turns as (
      select id, queue, tenant, priority, due,
        coalesce(count, 0) + row_number() over (partition by queue, tenant order by priority desc, due, id) as turn
      from ${jobsTable} join short on queue = name left join busy using (queue, tenant)
      where ${conditions.waiting}),
    places as (
      select id, tenant, row_number() over (partition by queue order by turn, priority desc, due, id) as position from turns)
    select id, position from places where id = any(${ids})`;

/** A position depends on jobs of all tenants, so the function counts them with its owner's rights. */
export const jobReaderViews: readonly string[] = [
  ...readerView(
    recordsView,
    `select id, queue, kind, key, tenant, jsonb_build_object('correlationId', cause -> 'correlationId') as cause, state, priority,
       attempts, most_attempts, progress, progress_detail, worker, claimed, seen, until, enqueued, due, deadline, ended,
       cancel_requested, reason, failures
     from ${jobsTable} where ${allowedTenant('tenant')}`,
  ),
  `create or replace function ${positionsFunction}(queues text[], ids bigint[])
     returns table (job bigint, place bigint) language sql security definer set search_path = pg_catalog, pg_temp as $$
       ${positionsOf('queues', 'ids')} and ${allowedTenant('tenant')} $$`,
  `revoke execute on function ${positionsFunction} from public`,
  `grant execute on function ${positionsFunction} to ${readerRole}`,
];

export interface JobSource {
  /** Of the names of statements, as connections remember them. */
  readonly relation: string;
  /** $1 queues, $2 jobs. */
  readonly positions: string;
  /** `tenant`: one tenant's; undefined: of all. */
  readonly query: <Row extends QueryResultRow>(
    tenant: string | undefined,
    statement: { readonly name: string; readonly text: string; readonly values: unknown[] },
  ) => Promise<{ readonly rows: readonly Row[] }>;
}

export const ownersJobs = { relation: jobsTable, positions: positionsOf('$1::text[]', '$2::bigint[]') };
export const readersJobs = {
  relation: recordsView,
  positions: `select job as id, place as position from ${positionsFunction}($1, $2)`,
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
export const isId = (id: string): boolean => /^\d{1,18}$/.test(id);

const createRows = ({ query, positions }: JobSource) => {
  const rowsOf = async <Row extends QueryResultRow>(
    tenant: string | undefined,
    statement: { readonly name: string; readonly text: string },
    values: unknown[],
  ): Promise<readonly Row[]> => (await query<Row>(tenant, { ...statement, values })).rows;

  const withPositions = async (
    tenant: string | undefined,
    rows: readonly RecordRow[],
  ): Promise<readonly JobRecord[]> => {
    const waiting = rows.filter(({ state }) => state === 'waiting');
    const queues = [...new Set(waiting.map(({ queue }) => queue))];
    const values = [queues, waiting.map(({ id }) => id)];
    const statement = { name: 'positions-of-jobs', text: positions };
    const found = waiting.length === 0 ? [] : await rowsOf<{ id: string; position: string }>(tenant, statement, values);
    const byId = new Map(found.map(({ id, position }) => [id, Number(position)]));
    return rows.map((row) => recordOf(row, byId.get(row.id) ?? null));
  };

  return { rowsOf, withPositions };
};

const attempt = <A>(work: () => Promise<A>) => attempted('work-queue-unavailable', work);

/** For the reading role. */
export const createJobLookup = (source: JobSource): JobLookup => {
  const { rowsOf, withPositions } = createRows(source);
  const byKey = {
    name: 'job-by-key',
    text: `select ${columns} from ${source.relation} where queue = any($1) and key = $2 and tenant = $3 order by id desc limit 1`,
  };
  const served = { name: 'is-queue-served', text: `select ${isQueueServed('$1::text')} as served` };
  return {
    findByKey: ({ queues, key, tenant }) =>
      attempt(async () => {
        const rows = await rowsOf<RecordRow>(tenant, byKey, [queues, key, tenant]);
        return (await withPositions(tenant, rows))[0];
      }),
    isServed: (queue) =>
      attempt(async () => (await rowsOf<{ served: boolean }>(undefined, served, [queue]))[0]?.served === true),
  };
};

export const createJobReader = (source: JobSource): JobReader => {
  const { relation } = source;
  const { rowsOf, withPositions } = createRows(source);

  const oneJob = { name: 'one-job', text: `select ${columns} from ${relation} where id = $1 and ${ofTenant('$2')}` };

  /** One prepared statement per state, so that each can use the index of that state. */
  const jobsIn = (state: JobState | undefined) => ({
    name: `jobs-${state ?? 'all'}`,
    text: `select ${columns} from ${relation}
      where ${ofTenant('$1')} and ($2::text is null or queue = $2) and ($3::text is null or coalesce(kind, queue) = $3)
        and ($4::bigint is null or id < $4)${state === undefined ? '' : ` and ${conditions[state]}`}
      order by id desc limit $5`,
  });

  const deadLetters = {
    name: 'dead-letters',
    text: `select id, queue, key, tenant, attempts, reason, ended, failures, cause ->> 'correlationId' as "correlationId"
      from ${relation}
      where state = 'dead' and ${ofTenant('$1')} and ($2::bigint is null or id < $2)
      order by id desc limit $3`,
  };

  return {
    listJobs: async ({ tenant, queue, kind, state, before, limit }: JobQuery) => {
      if (before !== undefined && !isId(before)) return right([]);
      const values = [tenant ?? null, queue ?? null, kind ?? null, before ?? null, limit];
      return attempt(async () => withPositions(tenant, await rowsOf<RecordRow>(tenant, jobsIn(state), values)));
    },
    findJob: async (id, tenant) => {
      if (!isId(id)) return right(undefined);
      const values = [id, tenant ?? null];
      return attempt(async () => (await withPositions(tenant, await rowsOf<RecordRow>(tenant, oneJob, values)))[0]);
    },
    deadLetters: async ({ tenant, before, limit }) => {
      if (before !== undefined && !isId(before)) return right([]);
      const values = [tenant ?? null, before ?? null, limit];
      const rows = await attempt(() => rowsOf<DeadRow>(tenant, deadLetters, values));
      if (isLeft(rows)) return rows;
      return right(rows.right.map(({ ended, ...row }) => ({ ...row, diedAt: ended.toISOString() })));
    },
  };
};
