/** A copy of the processes that is stopped while it works: it gives up what it held, and another goes on. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { recordNow, useProcessCopies } from '../contracts/processes/fixture';
import type { OrderEvent } from '../kernel/processes/sample-processes';
import { eventually } from '../support/waiting/eventually';

const placed = (customer: string, amount: number): OrderEvent => ({ type: 'OrderPlaced', data: { customer, amount } });
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => (index + 1) * 1_001);

describe('copies of the processes that are stopped in turn', function () {
  this.timeout(180_000);
  const { log, postgres, start, added } = useProcessCopies('rolling-processes');

  const held = async (): Promise<readonly string[]> => {
    const { rows } = await postgres.pool.query<{ name: string }>(
      'select name from septet.leases where until > clock_timestamp()',
    );
    return rows.map(({ name }) => name);
  };

  it('leave no lease behind, and answer every event once between them', async () => {
    const customer = `r-${randomUUID()}`;
    const [first, second] = [await start(), await start()];
    await eventually(async () => assert.equal(await first.phase(), 'live'));
    for (let nth = 1; nth <= 10; nth += 1) await recordNow(log.store, placed(customer, nth));
    const stopped = first.stop();
    for (let nth = 11; nth <= 20; nth += 1) await recordNow(log.store, placed(customer, nth));
    assert.equal(await stopped, 0);
    await added(customer, upTo(20));
    assert.equal((await held()).length, 1);
    assert.equal(await second.stop(), 0);
    assert.deepEqual(await held(), []);
  });
});
