import assert from 'node:assert/strict';
import { readerUrl } from '../../../../infra/adapters/postgres/migrate';
import { openPool } from '../../../../infra/adapters/postgres/pool';
import { openProcessStatusReader } from '../../../../infra/adapters/postgres/processes/process-status-store';
import { tenantQueries } from '../../../../infra/adapters/postgres/tenant-session';
import type { JobRecord } from '../../../../infra/ports/processes/work-queue';
import { openQueue, usePostgres, value } from './fixture';

describe('jobs as their tenant sees them', () => {
  const stage = usePostgres();
  const url = () => readerUrl({ url: stage.url, readerPassword: 'reads' });
  let reader: ReturnType<typeof openProcessStatusReader>;
  before(() => {
    reader = openProcessStatusReader({ url: url() });
  });
  after(() => reader.close());
  const open = () => {
    const queue = openQueue(stage.pool);
    /** As the query API's role reads them, which is as their owner does. */
    const list = async (query = {}) => {
      const request = { queue: queue.queue, limit: 100, ...query };
      const jobs = value(await reader.jobs.listJobs(request));
      assert.deepEqual(jobs, value(await queue.work.listJobs(request)));
      return jobs;
    };
    const find = async (key: string): Promise<JobRecord> => {
      const found = (await list()).find((job) => job.key === key);
      assert.ok(found !== undefined, 'there is such a job');
      return found;
    };
    return { ...queue, list, find };
  };

  it('say what they are, where they stand and how far they are', async () => {
    const { add, claimOne, find, work, queue } = open();
    const { key } = await add({ kind: 'thumbnail', priority: 2, mostAttempts: 3 });
    const waiting = await find(key);
    assert.deepEqual(
      [waiting.queue, waiting.kind, waiting.tenant, waiting.correlationId],
      [queue, 'thumbnail', 'acme', 'r-1'],
    );
    assert.deepEqual([waiting.state, waiting.position, waiting.priority, waiting.attempts], ['waiting', 1, 2, 0]);
    assert.deepEqual([waiting.worker, waiting.progress, waiting.endedAt], [null, null, null]);
    const job = await claimOne({ worker: 'host:77' });
    assert.equal(job.kind, 'thumbnail');
    const progress = { fraction: 0.5, detail: 'Half of the pages.' };
    assert.equal(value(await work.extendClaim(job, { milliseconds: 60_000, progress })), 'valid');
    const running = await find(key);
    assert.deepEqual([running.state, running.worker, running.progress], ['running', 'host:77', progress]);
    assert.ok(running.claimedAt !== null && running.seenAt !== null && running.seenAt >= running.claimedAt);
    assert.equal(value(await work.complete(job)), true);
    const done = await find(key);
    assert.deepEqual([done.state, done.position, done.attempts], ['done', null, 1]);
  });

  it('have a position in the order of claims, tenants in turn', async () => {
    const { add, list, claim } = open();
    for (let nth = 0; nth < 3; nth += 1) await add({ tenant: 'big' });
    await add({ tenant: 'small' });
    await add({ tenant: 'big', priority: 1 });
    await add({ tenant: 'big', delaySeconds: 60 });
    const places = (await list()).map(({ id, position }) => [id, position] as const);
    const expected = places
      .filter(([, position]) => position !== null)
      .sort(([, one], [, other]) => Number(one) - Number(other));
    assert.equal(expected.length, 5);
    const claimed = await claim();
    assert.deepEqual(
      claimed.map(({ id }) => id),
      expected.map(([id]) => id),
    );
  });

  it('distinguish a lost worker from a lack of capacity', async () => {
    const { add, claimOne, find, pass, work, queue, list } = open();
    const { key } = await add();
    const other = await add();
    await claimOne({ milliseconds: 5_000 });
    await pass(6_000);
    assert.deepEqual([(await find(key)).state, (await find(other.key)).state], ['lost', 'waiting']);
    assert.deepEqual(
      (await list({ state: 'lost' })).map((job) => job.key),
      [key],
    );
    assert.equal(value(await work.sweep(queue)), 1);
    const again = await find(key);
    assert.deepEqual([again.state, again.reason, again.attempts], ['delayed', 'The worker did not return.', 1]);
    assert.deepEqual(
      again.failures.map(({ reason }) => reason),
      ['The worker did not return.'],
    );
  });

  it('begin at their time, and die at their deadline', async () => {
    const { add, claim, claimOne, find, pass, work, queue } = open();
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    const later = await add({ notBefore: inSeconds(60) });
    const never = await add({ deadline: inSeconds(-1) });
    const soon = await add({ deadline: inSeconds(30) });
    assert.equal((await find(later.key)).state, 'delayed');
    const job = await claimOne();
    assert.equal(job.key, soon.key);
    assert.ok(job.deadlineMilliseconds !== null && job.deadlineMilliseconds <= 30_000);
    assert.equal(job.deadline, soon.deadline);
    assert.equal(value(await work.sweep(queue)), 1);
    const dead = await find(never.key);
    assert.deepEqual([dead.state, dead.reason], ['dead', 'The deadline passed.']);
    await pass(61_000);
    assert.equal(value(await work.sweep(queue)), 1);
    assert.deepEqual(
      (await claim()).map(({ key }) => key),
      [later.key],
    );
    assert.equal(value(await work.retryJob(dead.id)), true);
    assert.equal((await claimOne()).key, never.key);
  });

  it('are cancelled while they wait, and after their worker was notified while they run', async () => {
    const { add, claim, claimOne, find, work } = open();
    const [waits, runs] = [await add({ priority: -1 }), await add()];
    const job = await claimOne();
    assert.equal(value(await work.cancelJob((await find(waits.key)).id)), 'cancelled');
    assert.equal(value(await work.confirmCancel(job)), false);
    assert.equal(value(await work.cancelJob(job.id)), 'requested');
    assert.deepEqual([(await find(runs.key)).state, (await find(runs.key)).isCancelRequested], ['running', true]);
    assert.equal(value(await work.extendClaim(job, { milliseconds: 1_000 })), 'cancel-requested');
    assert.equal(value(await work.checkClaim(job)), 'cancel-requested');
    assert.equal(value(await work.confirmCancel(job)), true);
    assert.deepEqual(await claim(), []);
    assert.equal(value(await work.complete(job)), false);
    for (const { key } of [waits, runs]) {
      const { id, state } = await find(key);
      assert.equal(state, 'cancelled');
      assert.equal(value(await work.cancelJob(id)), 'ended');
      assert.equal(value(await work.retryJob(id)), true);
    }
    assert.equal((await claim()).length, 2);
  });

  it('stay cancelled when their worker fails, gives them back or is lost meanwhile', async () => {
    const { add, claimOne, find, work, pass, queue } = open();
    const ends = [
      async () => {
        const job = await claimOne();
        await work.cancelJob(job.id);
        return value(await work.fail(job, { reason: 'no', againInMilliseconds: 0 }));
      },
      async () => {
        const job = await claimOne();
        await work.cancelJob(job.id);
        return value(await work.releaseClaim(job));
      },
      async () => {
        const job = await claimOne({ milliseconds: 10 });
        await work.cancelJob(job.id);
        await pass(1_000);
        return value(await work.sweep(queue)) === 1;
      },
    ];
    for (const end of ends) {
      const { key } = await add();
      assert.equal(await end(), true);
      assert.equal((await find(key)).state, 'cancelled');
    }
  });

  it('are found by queue, kind and state, page by page, by their tenant alone', async () => {
    const { add, list, work, find } = open();
    const keys: string[] = [];
    for (let nth = 0; nth < 5; nth += 1) keys.push((await add({ kind: nth % 2 === 0 ? 'even' : 'odd' })).key);
    const foreign = await find((await add({ tenant: 'other' })).key);
    const first = await list({ tenant: 'acme', limit: 3 });
    const rest = await list({ tenant: 'acme', limit: 3, before: first.at(-1)?.id });
    assert.deepEqual(
      [...first, ...rest].map(({ key }) => key),
      keys.toReversed(),
    );
    assert.equal((await list({ tenant: 'acme', kind: 'odd' })).length, 2);
    assert.equal((await list({ tenant: 'acme', state: 'dead' })).length, 0);
    for (const { findJob } of [work, reader.jobs]) {
      assert.equal(value(await findJob(foreign.id, 'acme')), undefined);
      assert.equal(value(await findJob(foreign.id, 'other'))?.key, foreign.key);
    }
    assert.equal(value(await work.cancelJob(foreign.id, 'acme')), 'unknown');
    assert.equal(value(await work.cancelJob(foreign.id, 'other')), 'cancelled');
    assert.equal(value(await work.retryJob(foreign.id, 'acme')), false);
  });

  it('of other tenants are out of reach of the query API’s role, whatever SQL it runs', async () => {
    const { add, find, queue } = open();
    await add();
    const foreign = await find((await add({ tenant: 'other' })).key);
    const pool = openPool({ url: url(), connections: 1 });
    const query = tenantQueries(pool, url());
    const countOf = async (tenant: string, text: string, values: unknown[]) =>
      (await query(tenant, { text, values })).rows.length;
    const records = 'select from septet.platform_job_records where queue = $1';
    const position = 'select from septet.platform_job_positions($1, $2)';
    for (const [tenant, jobs, places] of [
      ['acme', 1, 0],
      ['other', 1, 1],
      ['*', 2, 1],
    ] as const) {
      assert.equal(await countOf(tenant, records, [queue]), jobs);
      assert.equal(await countOf(tenant, position, [[queue], [foreign.id]]), places);
    }
    await assert.rejects(query('acme', { text: 'select from septet.work_jobs' }), /permission denied/);
    await assert.rejects(query('acme', { text: 'select payload from septet.platform_job_records' }), /does not exist/);
    await pool.end();
  });

  it('are not found under what is no id', async () => {
    const { work } = open();
    for (const id of ['', '-1', '1; drop table x', '99999999999999999999', 'NaN']) {
      for (const { findJob } of [work, reader.jobs]) assert.equal(value(await findJob(id)), undefined);
      assert.equal(value(await work.cancelJob(id)), 'unknown');
      assert.equal(value(await work.retryJob(id)), false);
      assert.deepEqual(value(await work.listJobs({ before: id, limit: 1 })), []);
    }
  });

  it('announce themselves to workers that listen', async () => {
    const { add, work, queue, claimOne } = open();
    const over = new AbortController();
    let notified = 0;
    let next: () => void = () => undefined;
    const untilNotified = (count: number): Promise<void> =>
      new Promise((resolve) => {
        next = () => notified >= count && resolve();
        next();
      });
    const notify = (): void => {
      notified += 1;
      next();
    };
    const listening = work.listen({ queues: [queue], worker: 'host:1', notify, signal: over.signal });
    await untilNotified(1);
    await add();
    await untilNotified(2);
    // No worker can claim it yet, but a worker of a quiet queue would not poll in time.
    await add({ delaySeconds: 60 });
    await untilNotified(3);
    await openQueue(stage.pool).add();
    value(await work.releaseClaim(await claimOne()));
    await untilNotified(4);
    over.abort();
    await listening;
    assert.equal(notified, 4);
  });
});
