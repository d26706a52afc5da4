import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { openDurablePool } from '../../../../infra/adapters/postgres/pool';
import { createPostgresWorkQueue } from '../../../../infra/adapters/postgres/processes/work-queue';
import { jobOf, openQueue, usePostgres, value } from './fixture';

describe('a work queue', () => {
  const stage = usePostgres();

  it('gives each job to one of many claimers, with all of its fields', async () => {
    const { add, claim, queue } = openQueue(stage.pool);
    const jobs = await Promise.all(
      Array.from({ length: 40 }, (_, nth) => add({ payload: { nth, deep: ['ä', null] } })),
    );
    const claimed = (await Promise.all(Array.from({ length: 10 }, () => claim({ limit: 7 })))).flat();
    assert.deepEqual(claimed.map(({ key }) => key).sort(), jobs.map(({ key }) => key).sort());
    const [job] = claimed.filter(({ key }) => key === jobs[3]?.key);
    assert.ok(job !== undefined);
    const { id, token, ...rest } = job;
    const defaults = { kind: queue, priority: 0, mostAttempts: 8, deadline: null, deadlineMilliseconds: null };
    assert.deepEqual(rest, { ...jobs[3], ...defaults, queue, attempt: 1 });
    assert.deepEqual(await claim(), []);
  });

  it('knows a job by its key, whatever became of it', async () => {
    const { work, queue, claimOne, claim } = openQueue(stage.pool);
    const job = jobOf(queue);
    const enqueued = await Promise.all(Array.from({ length: 8 }, () => work.enqueue(job)));
    assert.equal(enqueued.map(value).filter((answer) => answer === 'queued').length, 1);
    const claimed = await claimOne();
    assert.equal(value(await work.enqueue(job)), 'known');
    value(await work.complete(claimed));
    assert.equal(value(await work.enqueue({ ...job, payload: 'other' })), 'known');
    assert.deepEqual(await claim(), []);
  });

  it('takes the higher priority first, then the older; not before its delay is over', async () => {
    const { add, claimOne, claim, pass } = openQueue(stage.pool);
    const [low, first] = [await add({ priority: -1 }), await add()];
    const [second, high, later] = [
      await add(),
      await add({ priority: 5 }),
      await add({ priority: 9, delaySeconds: 60 }),
    ];
    for (const job of [high, first, second, low]) assert.equal((await claimOne()).key, job.key);
    assert.deepEqual(await claim(), []);
    await pass(60_000);
    assert.equal((await claimOne()).key, later.key);
  });

  it('serves tenants in turn, however many jobs one of them has', async () => {
    const { add, claim } = openQueue(stage.pool);
    for (let nth = 0; nth < 30; nth += 1) await add({ tenant: 'big', priority: 3 });
    for (const tenant of ['small', 'tiny']) for (let nth = 0; nth < 2; nth += 1) await add({ tenant });
    const tenants = (await claim({ limit: 8 })).map(({ tenant }) => tenant);
    assert.deepEqual(tenants, ['big', 'small', 'tiny', 'big', 'small', 'tiny', 'big', 'big']);
    await add({ tenant: 'late' });
    assert.deepEqual(
      (await claim({ limit: 2 })).map(({ tenant }) => tenant),
      ['late', 'big'],
    );
  });

  it('respects the limits of the queue and of each tenant across workers', async () => {
    const { add, claim, work } = openQueue(stage.pool);
    for (const tenant of ['one', 'two', 'three']) for (let nth = 0; nth < 5; nth += 1) await add({ tenant });
    const limits = { concurrency: 5, perTenant: 2 };
    const all = (await Promise.all(Array.from({ length: 6 }, () => claim(limits)))).flat();
    assert.equal(all.length, 5);
    for (const tenant of ['one', 'two', 'three']) assert.ok(all.filter((job) => job.tenant === tenant).length <= 2);
    const [finished] = all.filter(({ tenant }) => tenant === 'one');
    assert.ok(finished !== undefined);
    value(await work.complete(finished));
    assert.equal((await claim(limits)).length, 1);
  });

  it('returns claims that are not kept alive, and refuses the earlier worker by its token', async () => {
    const { add, claim, claimOne, pass, work, queue } = openQueue(stage.pool);
    await add();
    const lost = await claimOne({ milliseconds: 1_000 });
    await pass(600);
    assert.equal(value(await work.extendClaim(lost, { milliseconds: 1_000 })), 'valid');
    await pass(600);
    assert.deepEqual(await claim(), []);
    assert.equal(value(await work.checkClaim(lost)), 'valid');
    await pass(600);
    assert.equal(value(await work.checkClaim(lost)), 'lost');
    assert.equal(value(await work.sweep(queue)), 1);
    await pass(600_000);
    const again = await claimOne();
    assert.ok(again.token > lost.token);
    assert.deepEqual([again.key, again.attempt], [lost.key, 2]);
    assert.equal(value(await work.extendClaim(lost, { milliseconds: 1_000 })), 'lost');
    const checked = await Promise.all([work.checkClaim(lost), work.checkClaim(again)]);
    assert.deepEqual(checked.map(value), ['lost', 'valid']);
    const stale = [work.complete(lost), work.releaseClaim(lost), work.confirmCancel(lost)];
    for (const answer of await Promise.all(stale)) assert.equal(value(answer), false);
    assert.equal(value(await work.fail(lost, { reason: 'late', againInMilliseconds: 0 })), false);
    assert.equal(value(await work.complete(again)), true);
  });

  it('retries after the configured pause, and moves a job to the dead letters after its last attempt', async () => {
    const { add, claim, claimOne, pass, work, queue, counts } = openQueue(stage.pool);
    const job = await add({ mostAttempts: 3 });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const claimed = await claimOne();
      assert.equal(claimed.attempt, attempt);
      value(await work.fail(claimed, { reason: `failure ${attempt}\0`, againInMilliseconds: 5_000 }));
      assert.deepEqual(await claim(), []);
      await pass(5_000);
    }
    assert.deepEqual(await claim(), []);
    const [dead] = value(await work.deadLetters({ limit: 100 })).filter((letter) => letter.queue === queue);
    assert.ok(dead !== undefined);
    assert.deepEqual([dead.key, dead.attempts, dead.reason], [job.key, 3, 'failure 3 ']);
    assert.deepEqual(await counts(), { waiting: 0, running: 0, dead: 1, oldestSeconds: 0 });
  });

  it('puts a job aside whose workers keep dying', async () => {
    const { add, claimOne, claim, pass, counts, work, queue } = openQueue(stage.pool);
    await add({ mostAttempts: 2 });
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      await claimOne({ milliseconds: 10 });
      await pass(1_000);
      assert.equal(value(await work.sweep(queue)), 1);
      await pass(600_000);
    }
    assert.deepEqual(await claim(), []);
    assert.equal((await counts()).dead, 1);
  });

  it('does not count an attempt that is given back', async () => {
    const { add, claimOne, work } = openQueue(stage.pool);
    await add({ mostAttempts: 1 });
    for (let round = 0; round < 3; round += 1) value(await work.releaseClaim(await claimOne()));
    assert.equal((await claimOne()).attempt, 1);
  });
});

describe('a work queue whose Postgres is away', () => {
  it('answers a fault', async () => {
    const away = openDurablePool({ url: 'postgres://nobody@127.0.0.1:1/none' });
    const queued = await createPostgresWorkQueue(away).enqueue(jobOf(randomUUID()));
    assert.ok(isLeft(queued));
    assert.equal(queued.left.code, 'work-queue-unavailable');
    await away.end();
  });
});
