/** Status of processes, and the views through which operators see processes, timers and jobs of one tenant or of all (`*`), without payloads. */

import { isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type {
  ProcessState,
  ProcessStatusReader,
  ProcessStatusRecord,
  ProcessStatusStore,
  QueueRecord,
  TimerRecord,
} from '../../../ports/processes/process-status';
import { openPool, type PostgresOptions, toViewFault } from '../pool';
import { allowedTenant, readerView } from '../row-level-security';
import { everyTenant, readerRole, schema } from '../sql';
import { type TenantQueries, tenantQueries } from '../tenant-session';
import { createJobLookup, createJobReader, type JobSource, jobReaderViews, readersJobs } from './job-reads';

const processesTable = `${schema}.platform_processes`;
const timersView = `${schema}.platform_timers`;
const jobsView = `${schema}.platform_jobs`;
const checkpointsView = `${schema}.platform_checkpoints`;
const leasesView = `${schema}.platform_leases`;

/** Of the stream of a process's instance. */
const tenantOfInstance = `substring(instance from '^[^-]*-([a-z0-9][a-z0-9-]*)\\.')`;

export const processStatusViews: readonly string[] = [
  `grant select on ${processesTable} to ${readerRole}`,
  ...readerView(checkpointsView, `select process, position from ${schema}.process_checkpoints`),
  ...readerView(leasesView, `select name, until from ${schema}.leases where name like 'process.%'`),
  ...readerView(
    timersView,
    `select id, process, instance, key, at from ${schema}.timers
     where state = 'pending' and ${allowedTenant(tenantOfInstance)}`,
  ),
  ...readerView(
    jobsView,
    `select queue, tenant, state, due, ended from ${schema}.work_jobs
     where state in ('waiting', 'running', 'dead') and ${allowedTenant('tenant')}`,
  ),
  ...jobReaderViews,
];

const save = {
  name: 'save-processes',
  // An instance that does not know whether it has the lease must not overwrite the report of the one that has it.
  text: `insert into ${processesTable} as known (process, seen, owner, state)
    select state ->> 'process', now(), $1, state from jsonb_array_elements($2::jsonb) as state
    on conflict (process) do update set seen = excluded.seen, owner = excluded.owner, state = excluded.state
    where excluded.state ->> 'phase' <> 'waiting' or known.owner = excluded.owner
      or known.seen < now() - interval '5 seconds'`,
};

export const createPostgresProcessStatusStore = (pool: Pool): ProcessStatusStore => ({
  save: (owner, states) =>
    toViewFault(async () => {
      await pool.query({ ...save, values: [owner, JSON.stringify(states)] });
    }),
});

const processes = {
  name: 'known-processes',
  text: `select p.seen, p.owner, p.state, c.position, coalesce(l.until > clock_timestamp(), false) as leased,
      coalesce(t.waiting, 0) as waiting, coalesce(t.overdue, 0) as overdue, t.next
    from ${processesTable} p
    left join ${checkpointsView} c using (process)
    left join ${leasesView} l on l.name = 'process.' || p.process
    left join (
      select process, count(*) as waiting, count(*) filter (where at <= clock_timestamp()) as overdue, min(at) as next
      from ${timersView} group by process) t using (process)
    order by p.process collate "C"`,
};

interface ProcessRow {
  readonly seen: Date;
  readonly owner: string;
  readonly state: ProcessState;
  readonly position: string | null;
  readonly leased: boolean;
  readonly waiting: string;
  readonly overdue: string;
  readonly next: Date | null;
}

const knownProcess = ({
  state,
  position,
  seen,
  owner,
  leased,
  waiting,
  overdue,
  next,
}: ProcessRow): ProcessStatusRecord => ({
  ...state,
  position: position ?? state.position,
  owner,
  seen: seen.toISOString(),
  leaseHeld: leased,
  timersWaiting: Number(waiting),
  timersOverdue: Number(overdue),
  nextTimerAt: next?.toISOString() ?? null,
});

/** A cursor carries milliseconds, so rows are ordered by milliseconds. */
const moment = `date_trunc('milliseconds', at)`;
const timers = {
  name: 'known-timers',
  text: `select id, process, instance, key, at, at <= clock_timestamp() as overdue from ${timersView}
    where ($1::text is null or process = $1) and ($2::timestamptz is null or (${moment}, id) > ($2::timestamptz, $3::text))
    order by ${moment}, id limit $4`,
};

type TimerRow = Omit<TimerRecord, 'at'> & { readonly at: Date };

const queues = {
  name: 'known-queues',
  text: `select queue, count(*) filter (where state = 'waiting' and due <= clock_timestamp()) as waiting,
      count(*) filter (where state = 'waiting' and due > clock_timestamp()) as delayed,
      count(*) filter (where state = 'running') as running, count(*) filter (where state = 'dead') as dead,
      min(due) filter (where state = 'waiting' and due <= clock_timestamp()) as oldest_waiting,
      min(ended) filter (where state = 'dead') as oldest_dead
    from ${jobsView} group by queue order by queue collate "C"`,
};

interface QueueRow {
  readonly queue: string;
  readonly waiting: string;
  readonly delayed: string;
  readonly running: string;
  readonly dead: string;
  readonly oldest_waiting: Date | null;
  readonly oldest_dead: Date | null;
}

const knownQueue = ({ queue, waiting, delayed, running, dead, ...oldest }: QueueRow): QueueRecord => ({
  queue,
  waiting: Number(waiting),
  delayed: Number(delayed),
  running: Number(running),
  dead: Number(dead),
  oldestWaitingAt: oldest.oldest_waiting?.toISOString() ?? null,
  oldestDeadAt: oldest.oldest_dead?.toISOString() ?? null,
});

const listTimers =
  (queryTenant: TenantQueries): ProcessStatusReader['timers'] =>
  async (tenant, { process = null, after = [null, null], limit }) => {
    const values = [process, ...after, limit];
    const found = await toViewFault(() => queryTenant<TimerRow>(tenant, { ...timers, values }));
    if (isLeft(found)) return found;
    return right(found.right.rows.map((row): TimerRecord => ({ ...row, at: row.at.toISOString() })));
  };

export const openProcessStatusReader = (options: PostgresOptions): ProcessStatusReader => {
  const pool = openPool({ connections: 2, statementMilliseconds: 5_000, ...options });
  const queryTenant = tenantQueries(pool, options.url);
  const source: JobSource = {
    ...readersJobs,
    query: (tenant = everyTenant, statement) => queryTenant(tenant, statement),
  };
  return {
    processes: async (tenant) => {
      const found = await toViewFault(() => queryTenant<ProcessRow>(tenant, { ...processes }));
      return isLeft(found) ? found : right(found.right.rows.map(knownProcess));
    },
    timers: listTimers(queryTenant),
    queues: async (tenant) => {
      const found = await toViewFault(() => queryTenant<QueueRow>(tenant, { ...queues }));
      return isLeft(found) ? found : right(found.right.rows.map(knownQueue));
    },
    jobs: createJobReader(source),
    lookups: createJobLookup(source),
    close: () => pool.end(),
  };
};
