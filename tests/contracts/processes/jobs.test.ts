import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { amountsIn } from '../../kernel/processes/fixture';
import type { OrderEvent } from '../../kernel/processes/sample-processes';
import { sized } from '../../support/runner/size';
import { recordNow, useProcessCopies } from './fixture';

const report = (customer: string): OrderEvent => ({ type: 'ReportWanted', data: { customer } });

describe('jobs on real stores', () => {
  const { log, postgres, start, added } = useProcessCopies('processes-jobs');

  it('does a job once in effect when its worker is killed midway', async () => {
    const customer = `w-${randomUUID()}`;
    const victim = await start('slow');
    await recordNow(log.store, report(customer));
    await victim.untilReported((message) => message.customer === customer);
    await victim.kill();
    const next = await start();
    await added(customer, [77]);
    assert.ok(next.reports.some((message) => message.customer === customer && (message.attempt ?? 0) > 1));
    const { rows } = await postgres.pool.query(`select state from septet.work_jobs where payload->>'customer' = $1`, [
      customer,
    ]);
    assert.equal(rows.length, 1);
  });

  // `worker-kills` has the short run's paused worker: the store waits a minute for one that is alive.
  if (sized({ short: false, long: true }))
    it('counts a job once that a paused worker finishes late, after another did', async () => {
      const customer = `l-${randomUUID()}`;
      const stale = await start('slow');
      await recordNow(log.store, report(customer));
      await stale.untilReported((message) => message.customer === customer);
      stale.child.kill('SIGSTOP');
      const next = await start();
      await next.untilReported((message) => message.customer === customer);
      await added(customer, [77]);
      stale.child.kill('SIGCONT');
      assert.equal(await stale.stop(), 0);
      assert.deepEqual(await amountsIn(log.store, customer), [77]);
    });

  it('gives jobs back when it drains, for another to do at once', async () => {
    const customer = `d-${randomUUID()}`;
    const leaving = await start('slow');
    await recordNow(log.store, report(customer));
    await leaving.untilReported((message) => message.customer === customer);
    assert.equal(await leaving.stop(), 0);
    const { rows } = await postgres.pool.query<{ state: string; attempts: number }>(
      `select state, attempts from septet.work_jobs where payload->>'customer' = $1`,
      [customer],
    );
    assert.deepEqual(rows, [{ state: 'waiting', attempts: 0 }]);
    await start();
    await added(customer, [77]);
  });
});
