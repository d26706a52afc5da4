/** Workers that are killed or paused before and after each effect: every job counts once. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { stopPoints, useWorkerCopies } from '../contracts/processes/worker-copies';
import { eventually } from '../support/waiting/eventually';

/** Each takes a minute. */
const pausePoints = stopPoints.filter((point) => point !== 'completed');

describe('a worker', function () {
  // A paused worker is alive to the store, which takes its job away a minute after its last renewal.
  this.timeout(240_000);
  const on = useWorkerCopies('worker-kills');

  for (const stopAt of stopPoints)
    it(`that is killed when its job is ${stopAt} leaves it to another, and it counts once`, async () => {
      const customer = `k-${randomUUID()}`;
      const { start, addFor, ended, amounts } = on.openQueue();
      const victim = await start({ stopAt });
      await addFor(customer);
      await victim.reached(stopAt);
      await victim.kill();
      await start();
      await ended();
      assert.deepEqual(await amounts(customer), [77]);
    });

  for (const stopAt of pausePoints)
    it(`that is paused past its claim when its job is ${stopAt}, and goes on late, changes nothing`, async () => {
      const customer = `p-${randomUUID()}`;
      const { start, addFor, ended, amounts, jobs } = on.openQueue();
      const stale = await start({ stopAt });
      await addFor(customer);
      await stale.reached(stopAt);
      stale.child.kill('SIGSTOP');
      await eventually(async () => assert.equal((await jobs())[0]?.state, 'lost'));
      await start();
      await ended();
      stale.goOn();
      stale.child.kill('SIGCONT');
      await sleep(500);
      assert.equal(await stale.stop(), 0);
      const [job] = await jobs();
      assert.deepEqual([job?.state, job?.attempts, await amounts(customer)], ['done', 2, [77]]);
    });

  it('shares its queue with others, and each job is performed by one of them', async () => {
    const customer = `s-${randomUUID()}`;
    const { start, addFor, ended, amounts, jobs } = on.openQueue();
    await Promise.all([start(), start(), start()]);
    await Promise.all(Array.from({ length: 40 }, () => addFor(customer)));
    await ended();
    assert.equal((await amounts(customer)).length, 40);
    assert.ok((await jobs()).every(({ attempts }) => attempts === 1));
  });

  it('is noticed within 15 seconds of its death, under the claims that queues have by default', async () => {
    const customer = `d-${randomUUID()}`;
    const { start, addFor, ended, amounts, jobs } = on.openQueue();
    const defaultClaims = { claimMilliseconds: undefined };
    const victim = await start({ ...defaultClaims, stopAt: 'performing' });
    await addFor(customer);
    await victim.reached('performing');
    await start(defaultClaims);
    await victim.kill();
    const died = performance.now();
    await eventually(async () => assert.equal((await jobs())[0]?.reason, 'The worker did not return.'));
    const seconds = (performance.now() - died) / 1_000;
    assert.ok(seconds <= 15, `noticed after ${seconds} s`);
    await ended();
    assert.deepEqual(await amounts(customer), [77]);
  });
});
