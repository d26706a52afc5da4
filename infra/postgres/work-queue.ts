/** Work queues in Postgres. */
import { isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { Cause, Claim, DeadLetter, Job, NewJob, WorkQueue } from '../ports/work-queue';
import { attempted, rowsOf } from './durable';
import { transaction } from './pool';
import { statements } from './work-queue-sql';

const usualAttempts = 8;
const longestReason = 500;

interface JobRow {
  readonly id: string;
  readonly queue: string;
  readonly key: string;
  readonly tenant: string;
  readonly payload: unknown;
  readonly cause: Cause;
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

const asked = <A>(work: () => Promise<A>) => attempted('work-queue-unavailable', work);

const claim = (pool: Pool, { queue, limit, concurrency, perTenant, milliseconds }: Claim) =>
  transaction(pool, async (client) => {
    await rowsOf(client, statements.lockQueue, [queue]);
    await rowsOf(client, statements.returnLost, [queue]);
    return rowsOf<JobRow>(client, statements.claim, [queue, limit, concurrency, perTenant, milliseconds]);
  });

const valuesOf = ({ queue, key, tenant, payload, cause, ...more }: NewJob): readonly unknown[] => {
  const { priority = 0, mostAttempts = usualAttempts, delaySeconds = 0 } = more;
  const json = JSON.stringify(payload ?? null);
  return [queue, key, tenant, json, JSON.stringify(cause), priority, mostAttempts, delaySeconds];
};

/** Anything else is no id of ours, and names nothing. */
const isId = (id: string): boolean => /^\d{1,18}$/.test(id);

const asText = (reason: string): string => reason.slice(0, longestReason).replaceAll('\0', ' ');

type Statement = (typeof statements)[keyof typeof statements];

export const postgresWorkQueue = (pool: Pool): WorkQueue => {
  const changes = async (statement: Statement, values: readonly unknown[]) => {
    const rows = await asked(() => rowsOf(pool, statement, values));
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
      const rows = await asked(() => claim(pool, asking));
      return isLeft(rows) ? rows : right([...rows.right].sort(inOrder).map(jobOf));
    },
    keep: ({ id, token }, milliseconds) => changes(statements.keep, [id, token, milliseconds]),
    complete: ({ id, token }) => changes(statements.complete, [id, token]),
    fail: ({ id, token }, { reason, againInMilliseconds }) =>
      changes(statements.fail, [id, token, asText(reason), againInMilliseconds ?? null]),
    giveBack: ({ id, token }) => changes(statements.giveBack, [id, token]),
    figures: async (queue) => {
      type Row = { waiting: string; running: string; dead: string; oldest: string };
      const rows = await asked(() => rowsOf<Row>(pool, statements.figures, [queue]));
      if (isLeft(rows)) return rows;
      const { waiting, running, dead, oldest } = rows.right[0] as Row;
      const figures = { waiting: Number(waiting), running: Number(running), dead: Number(dead) };
      return right({ ...figures, oldestSeconds: Number(oldest) });
    },
    deadLetters: async ({ tenant, before, limit }) => {
      if (before !== undefined && !isId(before)) return right([]);
      const values = [tenant ?? null, before ?? null, limit];
      const rows = await asked(() => rowsOf<DeadRow>(pool, statements.deadLetters, values));
      if (isLeft(rows)) return rows;
      return right(rows.right.map(({ ended, ...row }) => ({ ...row, diedAt: ended.toISOString() })));
    },
    replay: (id, tenant) => onDead(statements.replay, id, tenant),
    drop: (id, tenant) => onDead(statements.drop, id, tenant),
    purge: async (olderThanSeconds) => {
      const rows = await asked(() => rowsOf(pool, statements.purge, [olderThanSeconds]));
      return isLeft(rows) ? rows : right(rows.right.length);
    },
  };
};
