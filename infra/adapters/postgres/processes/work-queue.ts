/** Work queues in Postgres, timed by its clock. What operators see and change of jobs is in `job-records.ts`. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type {
  Causation,
  Claim,
  ClaimExtension,
  ClaimState,
  Job,
  NewJob,
  WorkFault,
  WorkQueue,
} from '../../../ports/processes/work-queue';
import { createBatcher } from '../../../server/runtime/batcher';
import { attempted, rowsOf } from '../pool';
import { schema } from '../sql';
import { createJobRecords } from './job-records';
import { listenForJobs } from './work-queue-listener';
import { addFailure, jobsChannel, jobsTable, now } from './work-queue-schema';

const underToken = `where id = $1 and token = $2 and state = 'running'`;

const statements = {
  enqueue: {
    name: 'enqueue-job',
    text: `with queued as (
        insert into ${jobsTable} (queue, key, tenant, payload, cause, priority, most_attempts, state, due, kind, deadline)
        values ($1, $2, $3, $4, $5, $6, $7, 'waiting',
          greatest(${now} + $8 * interval '1 second', $9::timestamptz), $10, $11::timestamptz)
        on conflict (queue, key) do nothing returning id)
      select id, pg_notify('${jobsChannel}', $1) from queued`,
  },
  claim: {
    name: 'claim-jobs',
    text: `select id, queue, coalesce(kind, queue) as kind, key, tenant, payload, cause, priority, most_attempts, attempts,
        token, deadline, extract(epoch from deadline - ${now}) * 1000 as remaining
      from ${schema}.claim_jobs($1, $2, $3, $4, $5, $6)`,
  },
  extend: {
    name: 'extend-claims',
    text: `select id, token, cancelling from ${schema}.extend_claims($1, $2, $3, $4, $5)`,
  },
  check: {
    name: 'check-claims',
    text: `select job.id, job.token, job.cancel_requested is not null as cancelling
      from unnest($1::bigint[], $2::bigint[]) as held (id, token)
      join ${jobsTable} job on job.id = held.id and job.token = held.token
      where job.state = 'running' and job.until > ${now}`,
  },
  complete: {
    name: 'complete-jobs',
    text: `update ${jobsTable} job set state = 'done', ended = ${now}, until = null, reason = null
      from unnest($1::bigint[], $2::bigint[]) as finished (id, token)
      where job.id = finished.id and job.token = finished.token and job.state = 'running' returning job.id, job.token`,
  },
  /** $4: null when it is not to be tried again. */
  fail: {
    name: 'fail-job',
    text: `update ${jobsTable} set
        state = case when cancel_requested is not null then 'cancelled'
          when $4::float is null or attempts >= most_attempts then 'dead' else 'waiting' end,
        ended = case when cancel_requested is not null or $4::float is null or attempts >= most_attempts then ${now} end,
        due = ${now} + coalesce($4::float, 0) * interval '1 millisecond', reason = $3, until = null,
        ${addFailure('$3::text')}
      ${underToken} returning id`,
  },
  resetAttempts: {
    name: 'reset-attempts',
    text: `update ${jobsTable} set attempts = 1 ${underToken} returning id`,
  },
  release: {
    name: 'release-claim',
    text: `with released as (
        update ${jobsTable} set attempts = attempts - 1, until = null,
          state = case when cancel_requested is null then 'waiting' else 'cancelled' end,
          ended = case when cancel_requested is null then null else ${now} end
        ${underToken} returning id, queue, state)
      select id, case when state = 'waiting' then pg_notify('${jobsChannel}', queue) end from released`,
  },
  confirmCancel: {
    name: 'confirm-cancel',
    text: `update ${jobsTable} set state = 'cancelled', ended = ${now}, until = null ${underToken}
        and cancel_requested is not null returning id`,
  },
  sweep: { name: 'sweep-jobs', text: `select ${schema}.sweep_jobs($1) as ended` },
  counts: {
    name: 'count-jobs',
    text: `select count(*) filter (where state = 'waiting') as waiting,
        count(*) filter (where state = 'running') as running, count(*) filter (where state = 'dead') as dead,
        coalesce(extract(epoch from ${now} - min(due) filter (where state = 'waiting' and due <= ${now})), 0) as oldest
      from ${jobsTable} where queue = $1 and state in ('waiting', 'running', 'dead')`,
  },
  purge: {
    name: 'purge-jobs',
    text: `delete from ${jobsTable} where state in ('done', 'dropped', 'cancelled')
        and ended < ${now} - $1 * interval '1 second' returning id`,
  },
} as const;

const defaultMaxAttempts = 8;
const maxTextLength = 500;

interface JobRow {
  readonly id: string;
  readonly queue: string;
  readonly kind: string;
  readonly key: string;
  readonly tenant: string;
  readonly payload: unknown;
  readonly cause: Causation;
  readonly priority: number;
  readonly most_attempts: number;
  readonly attempts: number;
  readonly token: string;
  readonly deadline: Date | null;
  readonly remaining: string | null;
}

const jobOf = ({
  most_attempts: mostAttempts,
  attempts: attempt,
  token,
  deadline,
  remaining,
  ...row
}: JobRow): Job => ({
  ...row,
  mostAttempts,
  attempt,
  token: Number(token),
  deadline: deadline?.toISOString() ?? null,
  deadlineMilliseconds: remaining === null ? null : Number(remaining),
});

const valuesOf = (job: NewJob): readonly unknown[] => [
  job.queue,
  job.key,
  job.tenant,
  JSON.stringify(job.payload ?? null),
  JSON.stringify(job.cause),
  job.priority ?? 0,
  job.mostAttempts ?? defaultMaxAttempts,
  job.delaySeconds ?? 0,
  job.notBefore ?? null,
  job.kind ?? null,
  job.deadline ?? null,
];

/** Postgres stores no NUL in text. */
const asText = (text: string): string => text.slice(0, maxTextLength).replaceAll('\0', ' ');

const claimValues = ({ queue, worker, limit, concurrency, perTenant, milliseconds }: Claim): readonly unknown[] => [
  queue,
  worker,
  limit,
  concurrency,
  perTenant,
  milliseconds,
];

type HeldClaim = Pick<Job, 'id' | 'token'>;

const claimName = ({ id, token }: { readonly id: string; readonly token: number | string }): string => `${id} ${token}`;

interface Extension extends ClaimExtension {
  readonly job: Job;
}

const extensionValues = (extensions: readonly Extension[]): readonly unknown[] => [
  ...heldValues(extensions.map(({ job }) => job)),
  extensions.map(({ milliseconds }) => milliseconds),
  extensions.map(({ progress }) => progress?.fraction ?? null),
  extensions.map(({ progress }) => (progress === undefined ? null : asText(progress.detail))),
];

const heldValues = (claims: readonly HeldClaim[]): readonly unknown[] => [
  claims.map(({ id }) => id),
  claims.map(({ token }) => token),
];

interface HeldRow {
  readonly id: string;
  readonly token: string;
  readonly cancelling: boolean;
}

/** Rows of the claims that are held, in the order of the claims; undefined for the others. */
const rowsByClaim = (claims: readonly HeldClaim[], rows: readonly HeldRow[]): readonly (HeldRow | undefined)[] => {
  const byClaim = new Map(rows.map((row) => [claimName(row), row]));
  return claims.map((claim) => byClaim.get(claimName(claim)));
};

const stateOf = (row: HeldRow | undefined): ClaimState => {
  if (row === undefined) return 'lost';
  return row.cancelling ? 'cancel-requested' : 'valid';
};

/** What holds and ends claims: of many jobs at once, in one statement. */
const createClaims = (pool: Pool): Pick<WorkQueue, 'extendClaim' | 'checkClaim' | 'complete'> => {
  const queryClaims = async (
    statement: Statement,
    claims: readonly HeldClaim[],
    values: readonly unknown[],
  ): Promise<readonly Either<WorkFault, HeldRow | undefined>[]> => {
    const rows = await attempted('work-queue-unavailable', () => rowsOf<HeldRow>(pool, statement, values));
    return isLeft(rows) ? claims.map(() => rows) : rowsByClaim(claims, rows.right).map((row) => right(row));
  };
  const extend = createBatcher((extensions: readonly Extension[]) =>
    queryClaims(
      statements.extend,
      extensions.map(({ job }) => job),
      extensionValues(extensions),
    ),
  );
  const check = createBatcher((jobs: readonly Job[]) => queryClaims(statements.check, jobs, heldValues(jobs)));
  const complete = createBatcher((jobs: readonly Job[]) => queryClaims(statements.complete, jobs, heldValues(jobs)));
  return {
    extendClaim: async (job, extension) => {
      const row = await extend({ job, ...extension });
      return isLeft(row) ? row : right(stateOf(row.right));
    },
    checkClaim: async (job) => {
      const row = await check(job);
      return isLeft(row) ? row : right(stateOf(row.right));
    },
    complete: async (job) => {
      const row = await complete(job);
      return isLeft(row) ? row : right(row.right !== undefined);
    },
  };
};

type Statement = (typeof statements)[keyof typeof statements];

export const createPostgresWorkQueue = (pool: Pool): WorkQueue => {
  const attempt = <A>(work: () => Promise<A>) => attempted('work-queue-unavailable', work);
  const changes = async (statement: Statement, values: readonly unknown[]) => {
    const rows = await attempt(() => rowsOf(pool, statement, values));
    return isLeft(rows) ? rows : right(rows.right.length > 0);
  };
  return {
    ...createJobRecords(pool),
    ...createClaims(pool),
    enqueue: async (job) => {
      const queued = await changes(statements.enqueue, valuesOf(job));
      return isLeft(queued) ? queued : right(queued.right ? 'queued' : 'known');
    },
    claim: async (request) => {
      const rows = await attempt(() => rowsOf<JobRow>(pool, statements.claim, claimValues(request)));
      return isLeft(rows) ? rows : right(rows.right.map(jobOf));
    },
    fail: ({ id, token }, { reason, againInMilliseconds }) =>
      changes(statements.fail, [id, token, asText(reason), againInMilliseconds ?? null]),
    resetAttempts: ({ id, token }) => changes(statements.resetAttempts, [id, token]),
    releaseClaim: ({ id, token }) => changes(statements.release, [id, token]),
    confirmCancel: ({ id, token }) => changes(statements.confirmCancel, [id, token]),
    sweep: async (queue) => {
      const rows = await attempt(() => rowsOf<{ ended: number }>(pool, statements.sweep, [queue]));
      return isLeft(rows) ? rows : right(rows.right[0]?.ended ?? 0);
    },
    listen: (listening) => listenForJobs(pool, listening),
    counts: async (queue) => {
      type Row = { waiting: string; running: string; dead: string; oldest: string };
      const rows = await attempt(() => rowsOf<Row>(pool, statements.counts, [queue]));
      if (isLeft(rows)) return rows;
      const { waiting, running, dead, oldest } = rows.right[0] as Row;
      const counts = { waiting: Number(waiting), running: Number(running), dead: Number(dead) };
      return right({ ...counts, oldestSeconds: Number(oldest) });
    },
    purge: async (olderThanSeconds) => {
      const rows = await attempt(() => rowsOf(pool, statements.purge, [olderThanSeconds]));
      return isLeft(rows) ? rows : right(rows.right.length);
    },
  };
};
