import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { right } from 'fp-ts/Either';
import { amountsIn } from '../../../kernel/processes/fixture';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';
import { value } from './fixture';
import { addOne, type Perform, useWorkers } from './workers';

describe('a job that is running', () => {
  const open = useWorkers();
  const opened = () => {
    const worker = open();
    const state = async (): Promise<readonly unknown[]> => {
      const [job] = value(await worker.work.listJobs({ queue: worker.queue, limit: 1 }));
      return [job?.state, job?.reason];
    };
    const only = async () => {
      const [job] = value(await worker.work.listJobs({ queue: worker.queue, limit: 1 }));
      assert.ok(job !== undefined);
      return job;
    };
    return { ...worker, state, only };
  };
  const settings = { claimMilliseconds: 600, graceMilliseconds: 100 };

  it('ends at the signal when it is cancelled, and reports nothing', async () => {
    const { add, start, store, state, only, work } = opened();
    await add();
    const begun = deferred();
    start(async (_, { signal }) => {
      begun.resolve();
      await sleep(60_000, undefined, { signal }).catch(() => undefined);
      return addOne();
    }, settings);
    await begun.promise;
    assert.equal(value(await work.cancelJob((await only()).id, 'acme')), 'requested');
    await eventually(async () => assert.deepEqual(await state(), ['cancelled', null]));
    assert.deepEqual(await amountsIn(store, 'ada'), []);
  });

  it('is killed when it does not heed the signal, and what it answers later is refused', async () => {
    const { add, start, store, state, only, work, metrics } = opened();
    await add();
    const [begun, finish] = [deferred(), deferred()];
    let killed = 0;
    const perform: Perform = async (_, { onKill }) => {
      onKill(() => {
        killed += 1;
      });
      begun.resolve();
      await finish.promise;
      return addOne();
    };
    start(perform, { ...settings, concurrency: 1 });
    await begun.promise;
    await work.cancelJob((await only()).id);
    await eventually(async () => assert.deepEqual(await state(), ['cancelled', null]));
    assert.equal(killed, 1);
    finish.resolve();
    await sleep(100);
    assert.deepEqual(await amountsIn(store, 'ada'), []);
    assert.match(await metrics.text(), /work_kills_total\{[^}]*\} 1/);
    await add();
    await eventually(async () => assert.deepEqual(await amountsIn(store, 'ada'), [7]));
  });

  it('is a dead letter when its deadline passes', async () => {
    const { add, start, state, dead } = opened();
    await add({ deadline: new Date(Date.now() + 400).toISOString() });
    start(async (_, { signal }) => {
      await sleep(60_000, undefined, { signal });
      return right([]);
    }, settings);
    await eventually(async () => assert.deepEqual(await state(), ['dead', 'The deadline passed.']));
    assert.deepEqual(await dead(), [[1, 'The deadline passed.']]);
  });

  it('shows its progress while it runs', async () => {
    const { add, start, only } = opened();
    await add();
    const finish = deferred();
    start(async (_, { reportProgress }) => {
      reportProgress({ fraction: 7, detail: 'Nearly there.' });
      await finish.promise;
      return right([]);
    }, settings);
    await eventually(async () => assert.deepEqual((await only()).progress, { fraction: 1, detail: 'Nearly there.' }));
    finish.resolve();
    await eventually(async () => assert.equal((await only()).state, 'done'));
  });

  it('is killed and given back when it keeps a process from draining', async () => {
    const { add, start, only } = opened();
    await add();
    const begun = deferred();
    const worker = start(async () => {
      begun.resolve();
      await new Promise(() => undefined);
      return right([]);
    }, settings);
    await begun.promise;
    await worker.close();
    const { state, attempts } = await only();
    assert.deepEqual([state, attempts], ['waiting', 0]);
  });
});
