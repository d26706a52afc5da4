import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isRight } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { amountsIn } from '../../kernel/processes/fixture';
import { instanceStream, type OrderEvent } from '../../kernel/processes/sample-processes';
import { eventually } from '../../support/waiting/eventually';
import { recordNow, useProcessCopies } from './fixture';

const placed = (customer: string, amount: number): OrderEvent => ({ type: 'OrderPlaced', data: { customer, amount } });
const reminder = (customer: string, milliseconds: number): OrderEvent => ({
  type: 'ReminderWanted',
  data: { customer, at: new Date(Date.now() + milliseconds).toISOString() as Instant },
});

const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => (index + 1) * 1_001);

describe('processes on real stores', () => {
  const { log, postgres, copies, start, added } = useProcessCopies('processes');

  it('answers every event once while runners are killed again and again', async () => {
    const customer = `k-${randomUUID()}`;
    await start();
    for (let round = 0; round < 3; round += 1) {
      const next = start();
      for (let nth = 1; nth <= 25; nth += 1) await recordNow(log.store, placed(customer, round * 25 + nth));
      await next;
      await copies.shift()?.kill();
    }
    await added(customer, upTo(75));
    const marks = await log.store.read(instanceStream(customer));
    assert.ok(isRight(marks));
    assert.equal(marks.right.filter(({ type }) => type === 'process.Reacted.v1').length, 75);
  });

  it('is run by one of two copies; the other goes on when that one is paused, and both are right afterwards', async () => {
    const customer = `p-${randomUUID()}`;
    const one = await start();
    await eventually(async () => assert.equal(await one.phase(), 'live'));
    const other = await start();
    await eventually(async () => assert.equal(await other.phase(), 'standby'));
    one.child.kill('SIGSTOP');
    await recordNow(log.store, placed(customer, 1));
    await added(customer, upTo(1));
    one.child.kill('SIGCONT');
    await eventually(async () => assert.equal(await one.phase(), 'standby'));
    await recordNow(log.store, placed(customer, 2));
    await added(customer, upTo(2));
  });

  it('fires a timer once that fell due while nothing ran, and one that is still to come', async () => {
    const [missed, coming] = [`m-${randomUUID()}`, `c-${randomUUID()}`];
    const first = await start();
    await recordNow(log.store, reminder(missed, 60_000));
    const marked = async () => {
      const read = await log.store.read(instanceStream(missed));
      assert.ok(isRight(read) && read.right.length === 1);
    };
    await eventually(marked);
    await eventually(async () => {
      const { rows } = await postgres.pool.query('select 1 from septet.timers where instance = $1', [
        instanceStream(missed),
      ]);
      assert.equal(rows.length, 1);
    });
    await first.kill();
    await postgres.pool.query(`update septet.timers set at = now() - interval '1 minute' where instance = $1`, [
      instanceStream(missed),
    ]);
    await start();
    await added(missed, [9_000_000]);
    await recordNow(log.store, reminder(coming, 700));
    await added(coming, [9_000_000]);
  });
});

describe('a process run twice by mistake', () => {
  const { log, copies, start, added } = useProcessCopies('processes-twice');

  it('doubles nothing when two copies both believe to be alone', async () => {
    const customer = `t-${randomUUID()}`;
    await Promise.all([start('unguarded'), start('unguarded')]);
    for (let nth = 1; nth <= 60; nth += 1) await recordNow(log.store, placed(customer, nth));
    await added(customer, upTo(60));
    for (const copy of copies) assert.equal(await copy.stop(), 0);
    assert.equal((await amountsIn(log.store, customer)).length, 60);
  });
});
