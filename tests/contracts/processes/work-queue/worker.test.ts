import assert from 'node:assert/strict';
import { left, right } from 'fp-ts/Either';
import { performDecoded } from '../../../../commands/kernel/work-queue/job-handler';
import { send } from '../../../../domain/kernel/process';
import type { Job } from '../../../../infra/ports/processes/work-queue';
import { amountsIn } from '../../../kernel/processes/fixture';
import { reportQueue, tallyOf } from '../../../kernel/processes/sample-processes';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';
import { value } from './fixture';
import { addOne, type Perform, useWorkers } from './workers';

describe('a worker', () => {
  const open = useWorkers();

  it('does jobs, and reports them as commands of their own', async () => {
    const { add, start, store, counts, metrics } = open();
    for (let nth = 0; nth < 12; nth += 1) await add({ cause: { correlationId: 'r-9', causationId: 'e-9', depth: 3 } });
    start(async () => addOne());
    await eventually(async () => assert.equal((await amountsIn(store, 'ada')).length, 12));
    await eventually(async () =>
      assert.deepEqual(await counts(), { waiting: 0, running: 0, dead: 0, oldestSeconds: 0 }),
    );
    const [event] = value(await store.read(tallyOf('ada')));
    assert.ok(event);
    const { $correlationId, $causationId, depth, actor } = event.metadata as Record<string, unknown>;
    assert.deepEqual([$correlationId, $causationId, depth], ['r-9', 'e-9', 3]);
    assert.match(String(actor), /^system:work\./);
    await eventually(async () => assert.match(await metrics.text(), /work_jobs_total\{[^}]*outcome="done"[^}]*\} 12/));
  });

  it('never works on more at once than it may', async () => {
    const { add, start } = open();
    const [free, seen] = [deferred(), { now: 0, most: 0, done: 0 }];
    for (let nth = 0; nth < 9; nth += 1) await add();
    const perform: Perform = async () => {
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      await free.promise;
      seen.now -= 1;
      seen.done += 1;
      return right([]);
    };
    start(perform, { overall: 4 });
    start(perform, { overall: 4 });
    await eventually(async () => assert.equal(seen.now, 4));
    free.resolve();
    await eventually(async () => assert.equal(seen.done, 9));
    assert.equal(seen.most, 4);
  });

  it('tries again what failed or threw, and records a dead letter’s reason, without quoting what was thrown', async () => {
    const { add, start, dead, store, log } = open();
    await add({ mostAttempts: 3 });
    const attempts: number[] = [];
    start(async ({ attempt }: Job) => {
      attempts.push(attempt);
      if (attempt === 1) return left({ kind: 'transient', reason: 'Not yet.' });
      throw new RangeError('the secret is hunter2');
    });
    await eventually(async () => assert.deepEqual(await dead(), [[3, 'RangeError was thrown.']]));
    assert.deepEqual(attempts, [1, 2, 3]);
    assert.deepEqual(await amountsIn(store, 'ada'), []);
    await eventually(async () => assert.ok(log.lines.some(({ level }) => level === 'error')));
  });

  it('puts aside at once what will never succeed, and what the rules refuse', async () => {
    const { add, start, dead, work, store } = open();
    await add({ payload: 'hopeless' });
    const doing = start(async () => left({ kind: 'permanent', reason: 'The file is no picture.' }));
    await eventually(async () => assert.deepEqual(await dead(), [[1, 'The file is no picture.']]));
    await doing.close();
    const [hopeless] = value(await work.deadLetters({ limit: 1 }));
    assert.equal(value(await work.drop(hopeless?.id ?? '')), true);
    await add();
    start(async () =>
      right([
        send('sample.tally', 'bob', { type: 'Close', why: 'x' }),
        send('sample.tally', 'bob', { type: 'Add', amount: 1 }),
      ]),
    );
    await eventually(async () => assert.deepEqual(await dead(), [[1, 'sample.tally refused: tally-closed.']]));
    assert.deepEqual(await amountsIn(store, 'bob'), []);
  });

  it('puts aside at once a job whose payload does not decode, and does not perform it', async () => {
    const { add, start, dead } = open();
    await add({ payload: { customer: 42 }, mostAttempts: 5 });
    start(performDecoded(reportQueue, () => assert.fail('It is performed.')));
    const reason = 'The payload does not decode: expected text of at most 60 characters at /customer.';
    await eventually(async () => assert.deepEqual(await dead(), [[1, reason]]));
  });

  it('gives back what it claimed ahead of a free slot when the jobs before it turn out long, and counts no attempt', async () => {
    const { add, start, counts, metrics } = open();
    const free = deferred();
    const seen: { readonly attempts: number[]; isLong: boolean } = { attempts: [], isLong: false };
    const perform: Perform = async ({ attempt }) => {
      seen.attempts.push(attempt);
      if (seen.isLong) await free.promise;
      return right([]);
    };
    for (let nth = 0; nth < 3; nth += 1) await add();
    start(perform, { concurrency: 2 });
    await eventually(async () => assert.match(await metrics.text(), /work_jobs_total\{[^}]*outcome="done"[^}]*\} 3/));
    seen.isLong = true;
    for (let nth = 0; nth < 4; nth += 1) await add();
    await eventually(async () => {
      assert.match(await metrics.text(), /work_jobs_total\{[^}]*outcome="given-back"[^}]*\} 2/);
      const { running, waiting } = await counts();
      assert.deepEqual([running, waiting], [2, 2]);
    });
    free.resolve();
    await eventually(async () => assert.equal(seen.attempts.length, 7));
    assert.deepEqual(new Set(seen.attempts), new Set([1]));
  });

  it('does not do a job again because the log was away when it reported', async () => {
    const { add, start, store, counts } = open();
    await add();
    store.mishaps.push('away', 'lost', 'away');
    let times = 0;
    start(async () => {
      times += 1;
      return addOne();
    });
    await eventually(async () => {
      const { running, waiting } = await counts();
      assert.equal(running + waiting, 0);
    });
    assert.deepEqual(await amountsIn(store, 'ada'), [7]);
    assert.equal(times, 1);
  });
});
