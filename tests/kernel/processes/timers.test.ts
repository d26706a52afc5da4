import assert from 'node:assert/strict';
import { eventually } from '../../support/waiting/eventually';
import {
  amountsIn,
  assertAdded,
  boundProcesses,
  openProcessFixture,
  orderClosed,
  orderPlaced,
  record,
  reminderDropped,
  reminderWanted,
  typesIn,
  useRunningProcesses,
} from './fixture';
import { instanceStream } from './sample-processes';

describe('timers of a process', () => {
  const run = useRunningProcesses();
  const reminder = 9_000_000;

  it('fire when they are due, and not before', async () => {
    const { store, deps, clock, timers } = openProcessFixture();
    await record(store, reminderWanted('ada', 1_000));
    run(boundProcesses.count, deps());
    await eventually(async () => assert.equal(timers.stored.length, 1));
    await record(store, orderPlaced('bob'));
    await assertAdded(store, 'bob', [1_001]);
    assert.deepEqual(await amountsIn(store, 'ada'), []);
    clock.now += 1_000;
    await assertAdded(store, 'ada', [reminder]);
  });

  it('fire at once when they were missed, also while nothing ran', async () => {
    const { store, deps, clock } = openProcessFixture();
    await record(store, reminderWanted('ada', -60_000));
    clock.now += 3_600_000;
    run(boundProcesses.count, deps());
    await assertAdded(store, 'ada', [reminder]);
  });

  it('are found at once when they are set while the due ones are looked up', async () => {
    const { store, deps, timers } = openProcessFixture();
    let isSet = false;
    const due: typeof timers.due = async (process, limit) => {
      const found = await timers.due(process, limit);
      if (!isSet) {
        isSet = true;
        // After the store has answered, and before the answer is here.
        await record(store, reminderWanted('ada', -1));
        await eventually(async () => assert.equal(timers.stored.length, 1));
      }
      return found;
    };
    const began = performance.now();
    run(boundProcesses.count, { ...deps(), timers: { ...timers, due } });
    await assertAdded(store, 'ada', [reminder]);
    // The next look without a notification would come after 5 s.
    assert.ok(performance.now() - began < 4_000);
  });

  it('fire once when the clock goes back and forth', async () => {
    const { store, deps, clock, timers } = openProcessFixture();
    await record(store, reminderWanted('ada', 1_000));
    run(boundProcesses.count, deps());
    clock.now += 2_000;
    await assertAdded(store, 'ada', [reminder]);
    clock.now -= 3_600_000;
    await record(store, reminderWanted('bob', -7_200_000));
    await assertAdded(store, 'bob', [reminder]);
    clock.now += 7_200_000;
    for (const timer of timers.stored) timer.state = 'pending';
    await eventually(async () => assert.ok(timers.stored.every(({ state }) => state === 'fired')));
    assert.deepEqual(await amountsIn(store, 'ada'), [reminder]);
    assert.deepEqual(await amountsIn(store, 'bob'), [reminder]);
  });

  it('do not fire once cancelled or replaced', async () => {
    const { store, deps, clock, timers } = openProcessFixture();
    await record(store, reminderWanted('ada', 1_000));
    await record(store, reminderDropped('ada'));
    await record(store, reminderWanted('bob', 1_000));
    await record(store, reminderWanted('bob', 5_000));
    run(boundProcesses.count, deps());
    await eventually(async () =>
      assert.deepEqual(timers.stored.map(({ state }) => state).sort(), ['cancelled', 'cancelled', 'pending']),
    );
    clock.now += 5_000;
    await assertAdded(store, 'bob', [reminder]);
    assert.deepEqual(await amountsIn(store, 'ada'), []);
  });

  it('wait until all that was recorded before is answered: it may cancel them', async () => {
    const { store, deps, clock } = openProcessFixture();
    await record(store, reminderWanted('ada', 1_000));
    for (let nth = 0; nth < 50; nth += 1) await record(store, orderPlaced('bob'));
    await record(store, reminderDropped('ada'));
    await record(store, reminderWanted('cat', 1_000));
    clock.now += 5_000;
    run(boundProcesses.count, deps());
    await assertAdded(store, 'cat', [reminder]);
    assert.deepEqual(await amountsIn(store, 'ada'), []);
  });

  it('leave a refusal in the instance’s stream', async () => {
    const { store, deps, clock } = openProcessFixture();
    await record(store, reminderWanted('ada', 1_000));
    await record(store, orderClosed('ada'));
    clock.now += 5_000;
    run(boundProcesses.count, deps());
    await eventually(async () =>
      assert.ok((await typesIn(store, instanceStream('ada'))).includes('process.CommandRefused.v1')),
    );
  });

  it('that fall due together are fired a few at a time, each once', async () => {
    const { store, deps, clock, timers } = openProcessFixture();
    const customers = Array.from({ length: 300 }, (_, nth) => `c${nth}`);
    for (const customer of customers) await record(store, reminderWanted(customer, 1_000));
    let [now, most] = [0, 0];
    const append: typeof store.append = async (stream, ...rest) => {
      if (!stream.startsWith('sample.tally-')) return store.append(stream, ...rest);
      now += 1;
      most = Math.max(most, now);
      await new Promise((resolve) => setImmediate(resolve));
      return store.append(stream, ...rest).finally(() => {
        now -= 1;
      });
    };
    run(boundProcesses.count, deps({ store: { ...store, append } }));
    await eventually(async () => assert.equal(timers.stored.length, 300));
    clock.now += 1_000;
    await eventually(async () => assert.ok(timers.stored.every(({ state }) => state === 'fired')));
    for (const customer of customers) assert.deepEqual(await amountsIn(store, customer), [reminder]);
    assert.ok(most > 1 && most <= 16, `${most} at once`);
  });
});
