/** A queue of a test's own in Postgres, and time that a test can take away from its claims. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type Either, isRight } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { migrate } from '../../../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../../infra/adapters/postgres/processes/work-queue';
import type { Claim, Job, NewJob } from '../../../../infra/ports/processes/work-queue';
import { freshDatabase } from '../../../support/servers/shared-servers';

export const value = <A>(answer: Either<unknown, A>): A => {
  assert.ok(isRight(answer), 'the queue answers');
  return answer.right;
};

/** Registers its hooks with the describe that calls it. */
export const usePostgres = (): { pool: Pool; url: string } => {
  const stage = {} as { pool: Pool; url: string };
  before(async () => {
    stage.url = await freshDatabase();
    assert.ok(isRight(await migrate({ url: stage.url, readerPassword: 'reads' })));
    stage.pool = openDurablePool({ url: stage.url });
  });
  after(() => stage.pool.end());
  return stage;
};

export const jobOf = (queue: string, changes: Partial<NewJob> = {}): NewJob => ({
  queue,
  key: randomUUID(),
  tenant: 'acme',
  payload: { what: 'ever' },
  cause: { correlationId: 'r-1', causationId: 'e-1', depth: 1 },
  ...changes,
});

export const openQueue = (pool: Pool, queue: string = randomUUID()) => {
  const work = createPostgresWorkQueue(pool);
  const add = async (changes: Partial<NewJob> = {}): Promise<NewJob> => {
    const job = jobOf(queue, changes);
    value(await work.enqueue(job));
    return job;
  };
  const claim = async (changes: Partial<Claim> = {}): Promise<readonly Job[]> => {
    const usual = { queue, worker: 'host:1', limit: 10, concurrency: 1_000, perTenant: 1_000, milliseconds: 60_000 };
    return value(await work.claim({ ...usual, ...changes }));
  };
  const claimOne = async (changes: Partial<Claim> = {}): Promise<Job> => {
    const [job] = await claim({ limit: 1, ...changes });
    assert.ok(job !== undefined, 'nothing could be claimed');
    return job;
  };
  const keysOf = (jobs: readonly { readonly key: string }[]) => jobs.map(({ key }) => key);
  /** As if that much time had gone by for all its jobs. */
  const pass = (milliseconds: number) =>
    pool.query(
      `update septet.work_jobs set due = due - $2 * interval '1 millisecond', until = until - $2 * interval '1 millisecond',
         ended = ended - $2 * interval '1 millisecond' where queue = $1`,
      [queue, milliseconds],
    );
  const counts = async () => value(await work.counts(queue));
  return { work, queue, add, claim, claimOne, keysOf, pass, counts };
};
