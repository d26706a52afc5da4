import assert from 'node:assert/strict';
import { right } from 'fp-ts/Either';
import type { Job } from '../../../../infra/ports/processes/work-queue';
import { amountsIn } from '../../../kernel/processes/fixture';
import { deferred } from '../../../support/waiting/deferred';
import { eventually } from '../../../support/waiting/eventually';
import { value } from './fixture';
import { addOne, useWorkers } from './workers';

/** The lost claim is returned with a pause, which is taken away as well. */
const eventuallyClaimed = async (
  claimOne: () => Promise<Job>,
  pass: (milliseconds: number) => Promise<unknown>,
): Promise<Job> => {
  for (;;) {
    const claimed = await claimOne().catch(() => undefined);
    if (claimed !== undefined) return claimed;
    await pass(60_000);
  }
};

describe('the claim of a worker', () => {
  const open = useWorkers();

  it('reports its loss to the worker, whose late result counts once', async () => {
    const { add, start, store, work, claimOne, pass, counts, metrics } = open();
    await add();
    const finish = deferred();
    const [begun, told] = [deferred(), deferred()];
    let times = 0;
    start(
      async (_, { signal }) => {
        times += 1;
        if (times > 1) return addOne();
        signal.addEventListener('abort', told.resolve);
        begun.resolve();
        await finish.promise;
        return addOne(8);
      },
      { claimMilliseconds: 600, concurrency: 1 },
    );
    await begun.promise;
    await pass(3_600_000);
    const other = await eventuallyClaimed(claimOne, pass);
    await told.promise;
    finish.resolve();
    await eventually(async () => assert.match(await metrics.text(), /work_jobs_total\{[^}]*outcome="lost"[^}]*\} 1/));
    assert.deepEqual(await amountsIn(store, 'ada'), []);
    assert.equal(value(await work.releaseClaim(other)), true);
    await eventually(async () => {
      const { running, waiting } = await counts();
      assert.equal(running + waiting, 0);
    });
    assert.deepEqual([times, await amountsIn(store, 'ada')], [2, [7]]);
  });

  it('keeps its claim for as long as it works', async () => {
    const { add, start, claim, counts } = open();
    await add();
    const finish = deferred();
    let aborted = false;
    start(
      async (_, { signal }) => {
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        await finish.promise;
        return right([]);
      },
      { claimMilliseconds: 900 },
    );
    await eventually(async () => assert.equal((await counts()).running, 1));
    const until = performance.now() + 2_000;
    while (performance.now() < until) assert.deepEqual(await claim(), []);
    finish.resolve();
    await eventually(async () => assert.equal((await counts()).running, 0));
    assert.equal(aborted, false);
  });
});
