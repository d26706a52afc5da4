/** Work queues in Postgres. Claims of one queue are serialised, so that its limits hold across processes. */

import { isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { Causation, Claim, DeadLetter, Job, NewJob, WorkQueue } from '../../ports/processes/work-queue';
import { attempted, rowsOf, transaction } from '../pool';
import { schema } from '../sql';

const table = `${schema}.work_jobs`;
const now = 'clock_timestamp()';

/** $1 queue: tenants that have something waiting, found one by one in the index. */
const tenants = `tenants as (
    (select tenant from ${table} where queue = $1 and state = 'waiting' order by tenant limit 1)
    union all
    select (select next.tenant from ${table} next where next.queue = $1 and next.state = 'waiting'
      and next.tenant > tenants.tenant order by next.tenant limit 1)
    from tenants where tenants.tenant is not null)`;

/** Of each tenant the next few, numbered on from what it has running: the lowest numbers of all tenants are next. */
const candidates = `candidates as (
    select job.id, coalesce(busy.count, 0) + job.nth as turn, job.priority, job.due
    from tenants left join busy using (tenant)
    cross join lateral (
      select id, priority, due, row_number() over (order by priority desc, due, id) as nth from (
        select id, priority, due from ${table}
        where queue = $1 and tenant = tenants.tenant and state = 'waiting' and due <= ${now}
        order by priority desc, due, id limit $2) ready) job
    where coalesce(busy.count, 0) + job.nth <= $4
    order by turn, job.priority desc, job.due, job.id
    limit least($2, $3 - (select coalesce(sum(count), 0) from busy)))`;

const statements = {
  enqueue: {
    name: 'enqueue-work',
    text: `insert into ${table} (queue, key, tenant, payload, cause, priority, most_attempts, state, due)
      values ($1, $2, $3, $4, $5, $6, $7, 'waiting', ${now} + $8 * interval '1 second')
      on conflict (queue, key) do nothing returning id`,
  },
  lockQueue: {
    name: 'lock-queue',
    text: 'select pg_advisory_xact_lock(hashtextextended($1, 11))',
  },
  /** Fails the jobs whose claim expired: their worker is gone. */
  returnLost: {
    name: 'return-lost-work',
    text: `update ${table} set
        state = case when attempts >= most_attempts then 'dead' else 'waiting' end,
        ended = case when attempts >= most_attempts then ${now} end,
        due = ${now} + least(300, 2 ^ attempts) * random() * interval '1 second',
        reason = 'The worker did not come back.', until = null
      where id in (select id from ${table} where queue = $1 and state = 'running' and until <= ${now}
        for update skip locked)
      returning id, state`,
  },
  /** $2 limit, $3 concurrency, $4 per tenant, $5 milliseconds. */
  claim: {
    name: 'claim-work',
    text: `with recursive ${tenants},
      busy as (select tenant, count(*) from ${table} where queue = $1 and state = 'running' group by tenant),
      ${candidates},
      chosen as (select job.id, candidates.turn from ${table} job join candidates using (id)
        where job.state = 'waiting' for update of job skip locked)
      update ${table} job set state = 'running', attempts = attempts + 1, token = nextval('${schema}.work_tokens'),
        until = ${now} + $5 * interval '1 millisecond'
      from chosen where job.id = chosen.id
      returning job.id, job.queue, job.key, job.tenant, job.payload, job.cause, job.priority, job.most_attempts,
        job.attempts, job.token, chosen.turn`,
  },
  keep: {
    name: 'keep-work',
    text: `update ${table} set until = ${now} + $3 * interval '1 millisecond'
      where id = $1 and token = $2 and state = 'running' returning id`,
  },
  complete: {
    name: 'complete-work',
    text: `update ${table} set state = 'done', ended = ${now}, until = null, reason = null
      where id = $1 and token = $2 and state = 'running' returning id`,
  },
  /** $4: null when it is not to be tried again. */
  fail: {
    name: 'fail-work',
    text: `update ${table} set
        state = case when $4::float is null or attempts >= most_attempts then 'dead' else 'waiting' end,
        ended = case when $4::float is null or attempts >= most_attempts then ${now} end,
        due = ${now} + coalesce($4::float, 0) * interval '1 millisecond', reason = $3, until = null,
        failures = jsonb_path_query_array(failures, '$[last - 18 to last]') || jsonb_build_object(
          'attempt', attempts, 'reason', $3::text, 'at', to_char(${now} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
      where id = $1 and token = $2 and state = 'running' returning id`,
  },
  giveBack: {
    name: 'give-back-work',
    text: `update ${table} set state = 'waiting', attempts = attempts - 1, until = null
      where id = $1 and token = $2 and state = 'running' returning id`,
  },
  figures: {
    name: 'work-figures',
    text: `select count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'running') as running, count(*) filter (where state = 'dead') as dead,
        coalesce(extract(epoch from ${now} - min(due) filter (where state = 'waiting' and due <= ${now})), 0) as oldest
      from ${table} where queue = $1 and state in ('waiting', 'running', 'dead')`,
  },
  deadLetters: {
    name: 'dead-letters',
    text: `select id, queue, key, tenant, attempts, reason, ended, failures, cause ->> 'correlationId' as "correlationId"
      from ${table}
      where state = 'dead' and ($1::text is null or tenant = $1) and ($2::bigint is null or id < $2)
      order by id desc limit $3`,
  },
  replay: {
    name: 'replay-work',
    text: `update ${table} set state = 'waiting', attempts = 0, due = ${now}, ended = null
      where id = $1 and state = 'dead' and ($2::text is null or tenant = $2) returning id`,
  },
  drop: {
    name: 'drop-work',
    text: `update ${table} set state = 'dropped', ended = ${now}
      where id = $1 and state = 'dead' and ($2::text is null or tenant = $2) returning id`,
  },
  purge: {
    name: 'purge-work',
    text: `delete from ${table} where state in ('done', 'dropped') and ended < ${now} - $1 * interval '1 second'
      returning id`,
  },
} as const;

const defaultMaxAttempts = 8;
const maxReasonLength = 500;

interface JobRow {
  readonly id: string;
  readonly queue: string;
  readonly key: string;
  readonly tenant: string;
  readonly payload: unknown;
  readonly cause: Causation;
  readonly priority: number;
  readonly most_attempts: number;
  readonly attempts: number;
  readonly token: string;
  readonly turn: string;
}

interface DeadRow extends Omit<DeadLetter, 'diedAt'> {
  readonly ended: Date;
}

const jobOf = ({ most_attempts: mostAttempts, attempts: attempt, token, turn: _, ...row }: JobRow): Job => ({
  ...row,
  mostAttempts,
  attempt,
  token: Number(token),
});

/** As they were chosen: `returning` has no order of its own. */
const inOrder = (one: JobRow, other: JobRow): number =>
  Number(one.turn) - Number(other.turn) || other.priority - one.priority || Number(one.id) - Number(other.id);

const toWorkFault = <A>(work: () => Promise<A>) => attempted('work-queue-unavailable', work);

const claim = (pool: Pool, { queue, limit, concurrency, perTenant, milliseconds }: Claim) =>
  transaction(pool, async (client) => {
    await rowsOf(client, statements.lockQueue, [queue]);
    await rowsOf(client, statements.returnLost, [queue]);
    return rowsOf<JobRow>(client, statements.claim, [queue, limit, concurrency, perTenant, milliseconds]);
  });

const valuesOf = ({ queue, key, tenant, payload, cause, ...more }: NewJob): readonly unknown[] => {
  const { priority = 0, mostAttempts = defaultMaxAttempts, delaySeconds = 0 } = more;
  const json = JSON.stringify(payload ?? null);
  return [queue, key, tenant, json, JSON.stringify(cause), priority, mostAttempts, delaySeconds];
};

/** Anything else is no id of ours, and names nothing. */
const isId = (id: string): boolean => /^\d{1,18}$/.test(id);

const asText = (reason: string): string => reason.slice(0, maxReasonLength).replaceAll('\0', ' ');

type Statement = (typeof statements)[keyof typeof statements];

export const createPostgresWorkQueue = (pool: Pool): WorkQueue => {
  const changes = async (statement: Statement, values: readonly unknown[]) => {
    const rows = await toWorkFault(() => rowsOf(pool, statement, values));
    return isLeft(rows) ? rows : right(rows.right.length > 0);
  };
  const onDead = (statement: Statement, id: string, tenant: string | undefined) =>
    isId(id) ? changes(statement, [id, tenant ?? null]) : Promise.resolve(right(false));
  return {
    enqueue: async (job) => {
      const queued = await changes(statements.enqueue, valuesOf(job));
      return isLeft(queued) ? queued : right(queued.right ? 'queued' : 'known');
    },
    claim: async (asking) => {
      const rows = await toWorkFault(() => claim(pool, asking));
      return isLeft(rows) ? rows : right([...rows.right].sort(inOrder).map(jobOf));
    },
    extendClaim: ({ id, token }, milliseconds) => changes(statements.keep, [id, token, milliseconds]),
    complete: ({ id, token }) => changes(statements.complete, [id, token]),
    fail: ({ id, token }, { reason, againInMilliseconds }) =>
      changes(statements.fail, [id, token, asText(reason), againInMilliseconds ?? null]),
    releaseClaim: ({ id, token }) => changes(statements.giveBack, [id, token]),
    counts: async (queue) => {
      type Row = { waiting: string; running: string; dead: string; oldest: string };
      const rows = await toWorkFault(() => rowsOf<Row>(pool, statements.figures, [queue]));
      if (isLeft(rows)) return rows;
      const { waiting, running, dead, oldest } = rows.right[0] as Row;
      const counts = { waiting: Number(waiting), running: Number(running), dead: Number(dead) };
      return right({ ...counts, oldestSeconds: Number(oldest) });
    },
    deadLetters: async ({ tenant, before, limit }) => {
      if (before !== undefined && !isId(before)) return right([]);
      const values = [tenant ?? null, before ?? null, limit];
      const rows = await toWorkFault(() => rowsOf<DeadRow>(pool, statements.deadLetters, values));
      if (isLeft(rows)) return rows;
      return right(rows.right.map(({ ended, ...row }) => ({ ...row, diedAt: ended.toISOString() })));
    },
    replay: (id, tenant) => onDead(statements.replay, id, tenant),
    drop: (id, tenant) => onDead(statements.drop, id, tenant),
    purge: async (olderThanSeconds) => {
      const rows = await toWorkFault(() => rowsOf(pool, statements.purge, [olderThanSeconds]));
      return isLeft(rows) ? rows : right(rows.right.length);
    },
  };
};
