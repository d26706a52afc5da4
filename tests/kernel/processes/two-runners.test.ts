import assert from 'node:assert/strict';
import { eventually } from '../../support/waiting/eventually';
import {
  amountsIn,
  assertAdded,
  boundProcesses,
  openProcessFixture,
  orderPlaced,
  record,
  useRunningProcesses,
} from './fixture';
import { memoryLeases } from './memory-stores';

describe('two runners of one process', () => {
  const run = useRunningProcesses();

  it('take turns: the second one stands by until the first is closed', async () => {
    const { store, deps } = openProcessFixture();
    const first = run(boundProcesses.count, deps());
    await eventually(async () => assert.equal(first.status().phase, 'live'));
    const second = run(boundProcesses.count, deps());
    await eventually(async () => assert.equal(second.status().phase, 'standby'));
    await first.close();
    await record(store, orderPlaced('ada'));
    await assertAdded(store, 'ada', [1_001]);
    assert.equal(second.status().phase, 'live');
  });

  it('double nothing, even when both believe to be alone', async () => {
    const { store, deps } = openProcessFixture();
    const shared = memoryLeases(true);
    const ends = Array.from({ length: 3 }, () => run(boundProcesses.count, deps({ leases: shared })));
    for (let nth = 1; nth <= 30; nth += 1) await record(store, orderPlaced('ada', nth));
    await assertAdded(
      store,
      'ada',
      Array.from({ length: 30 }, (_, index) => (index + 1) * 1_001),
    );
    await Promise.all(ends.map((one) => one.close()));
    assert.equal((await amountsIn(store, 'ada')).length, 30);
  });
});
