/** What tenants and operators change of jobs: cancel, retry, and dead letters; what they see is in `job-reads.ts`. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { JobReader, WorkFault, WorkQueue } from '../../../ports/processes/work-queue';
import { attempted, rowsOf } from '../pool';
import { createJobReader, isId, ofTenant, ownersJobs } from './job-reads';
import { jobsChannel, jobsTable, now } from './work-queue-schema';

export type JobRecords = JobReader & Pick<WorkQueue, 'cancelJob' | 'retryJob' | 'replay' | 'drop'>;

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

export const createJobRecords = (pool: Pool): JobRecords => {
  const attempt = <A>(work: () => Promise<A>) => attempted('work-queue-unavailable', work);

  const reader = createJobReader({ ...ownersJobs, query: (_tenant, statement) => pool.query(statement) });

  const changed = async (
    statement: { readonly name: string; readonly text: string },
    id: string,
    more: readonly unknown[],
  ): Promise<Either<WorkFault, boolean>> => {
    if (!isId(id)) return right(false);
    const rows = await attempt(() => rowsOf(pool, statement, [id, ...more]));
    return isLeft(rows) ? rows : right(rows.right.length > 0);
  };

  return {
    ...reader,
    cancelJob: async (id, tenant) => {
      if (!isId(id)) return right('unknown');
      const rows = await attempt(() => rowsOf<{ state: string }>(pool, cancelStatement, [id, tenant ?? null]));
      if (isLeft(rows)) return rows;
      const [row] = rows.right;
      if (row !== undefined) return right(row.state === 'cancelled' ? 'cancelled' : 'requested');
      const job = await reader.findJob(id, tenant);
      return isLeft(job) ? job : right(job.right === undefined ? 'unknown' : 'ended');
    },
    retryJob: (id, tenant) => changed(retryStatement, id, [tenant ?? null, ['dead', 'cancelled']]),
    replay: (id, tenant) => changed(retryStatement, id, [tenant ?? null, ['dead']]),
    drop: (id, tenant) => changed(dropStatement, id, [tenant ?? null]),
  };
};
