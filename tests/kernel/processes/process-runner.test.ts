import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { eventually } from '../../support/waiting/eventually';
import {
  amountsIn,
  assertAdded,
  boundProcesses,
  openProcessFixture,
  orderClosed,
  orderPlaced,
  record,
  typesIn,
  useRunningProcesses,
} from './fixture';
import { instanceStream, tallyOf } from './sample-processes';

describe('a running process', () => {
  const run = useRunningProcesses();

  it('answers each event of an instance in order, by its earlier state events', async () => {
    const { store, deps } = openProcessFixture();
    for (let nth = 1; nth <= 20; nth += 1) await record(store, orderPlaced(nth % 2 === 0 ? 'ada' : 'bob', nth));
    run(boundProcesses.count, deps());
    await assertAdded(
      store,
      'ada',
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((nth) => nth * 2_000 + nth),
    );
    await assertAdded(
      store,
      'bob',
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((nth) => (nth * 2 - 1) * 1_000 + nth),
    );
  });

  it('says who acted, and why: the event, its conversation, and how long the chain is', async () => {
    const { store, deps } = openProcessFixture();
    const { id, metadata } = await record(store, orderPlaced('ada'));
    run(boundProcesses.count, deps());
    await assertAdded(store, 'ada', [1_001]);
    const read = await store.read(tallyOf('ada'));
    assert.ok(isRight(read));
    const found = read.right[0]?.metadata as Record<string, unknown>;
    assert.equal(found.actor, 'system:count-on-order');
    assert.equal(found.$causationId, id);
    assert.equal(found.$correlationId, (metadata as { $correlationId: string }).$correlationId);
    assert.equal(found.depth, 1);
  });

  it('records a refused command in its own stream and goes on', async () => {
    const { store, deps } = openProcessFixture();
    await record(store, orderClosed('ada'));
    await record(store, orderPlaced('ada'));
    await record(store, orderPlaced('bob'));
    run(boundProcesses.count, deps());
    await eventually(async () => {
      const types = await typesIn(store, instanceStream('ada'));
      assert.deepEqual(types, [
        'process.Reacted.v1',
        'sample.OrderCounted.v1',
        'process.Reacted.v1',
        'process.CommandRefused.v1',
      ]);
    });
    await assertAdded(store, 'bob', [1_001]);
    assert.deepEqual(await amountsIn(store, 'ada'), []);
  });

  it('does not send again what was refused, when the event comes again', async () => {
    const { store, deps, checkpoints } = openProcessFixture();
    await record(store, orderClosed('ada'));
    await record(store, orderPlaced('ada'));
    const first = run(boundProcesses.count, deps());
    await eventually(async () => assert.equal((await typesIn(store, instanceStream('ada'))).length, 4));
    await first.close();
    checkpoints.stored.clear();
    await record(store, orderPlaced('bob'));
    run(boundProcesses.count, deps());
    await assertAdded(store, 'bob', [1_001]);
    assert.equal((await typesIn(store, instanceStream('ada'))).length, 4);
  });

  it('sends what was decided at first when the event comes again, not what would be decided now', async () => {
    const { store, deps, checkpoints } = openProcessFixture();
    for (const amount of [1, 2, 3]) await record(store, orderPlaced('ada', amount));
    const first = run(boundProcesses.count, deps());
    await assertAdded(store, 'ada', [1_001, 2_002, 3_003]);
    await first.close();
    checkpoints.stored.clear();
    await record(store, orderPlaced('ada', 4));
    run(boundProcesses.count, deps());
    await assertAdded(store, 'ada', [1_001, 2_002, 3_003, 4_004]);
  });

  it('ends a chain of its own making after sixteen commands, and records that', async () => {
    const { store, deps } = openProcessFixture();
    await record(store, orderPlaced('ada'));
    run(boundProcesses.count, deps());
    run(boundProcesses.add, deps());
    await eventually(async () => {
      const types = await typesIn(store, 'sample.addOnAdded-acme.ada');
      assert.equal(types.filter((type) => type === 'process.CommandRefused.v1').length, 1);
    });
    assert.equal((await amountsIn(store, 'ada')).length, 16);
  });

  it('retries while the log is away, without keeping other instances waiting', async () => {
    const stage = openProcessFixture();
    const { store } = stage;
    let isAway = true;
    const append: typeof store.append = (stream, expected, events) =>
      isAway && stream === tallyOf('ada')
        ? Promise.resolve({ _tag: 'Left', left: { kind: 'fault', code: 'event-store-unavailable', detail: 'Away.' } })
        : store.append(stream, expected, events);
    await record(stage.store, orderPlaced('ada'));
    await record(stage.store, orderPlaced('bob'));
    await record(stage.store, orderPlaced('ada', 2));
    const one = run(boundProcesses.count, stage.deps({ store: { ...store, append } }));
    await assertAdded(stage.store, 'bob', [1_001]);
    assert.deepEqual(await amountsIn(stage.store, 'ada'), []);
    assert.ok(one.status().position === null, 'the checkpoint waits for the oldest');
    isAway = false;
    await assertAdded(stage.store, 'ada', [1_001, 2_002]);
  });

  it('stops loudly at an event it cannot read, and goes no further', async () => {
    const { store, deps, checkpoints } = openProcessFixture();
    const good = await record(store, orderPlaced('ada'));
    await store.append('sample.order-acme.bad', 'any', [
      { id: 'x', type: 'sample.Unknown.v9', data: {}, metadata: good.metadata },
    ]);
    await record(store, orderPlaced('ada', 2));
    const one = run(boundProcesses.count, deps());
    await eventually(async () => assert.equal(one.status().phase, 'stopped'));
    assert.match(one.status().detail ?? '', /sample\.Unknown\.v9 at sample\.order-acme\.bad revision 0/);
    await one.close();
    assert.deepEqual(await amountsIn(store, 'ada'), [1_001]);
    assert.ok((checkpoints.stored.get('count-on-order')?.position ?? 0n) <= good.position);
  });
});
