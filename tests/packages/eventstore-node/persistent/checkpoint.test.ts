/** When a group writes its checkpoint, and where. */
import assert from 'node:assert/strict';
import { append, connect, createWorld, feed, settle, wait } from './world';

const ack = (world: ReturnType<typeof createWorld>, ...numbers: readonly number[]): void => {
  feed(world, { kind: 'acked', ids: numbers.map((number) => `event-${number}`) });
  settle(world);
};

describe('checkpoint of a group', () => {
  it('comes after the most that may be unwritten', () => {
    const world = createWorld({ maxCheckpointCount: 3 });
    connect(world, 1);
    append(world, 5);
    settle(world);
    ack(world, 0, 1);
    assert.deepEqual(world.checkpoints, []);
    ack(world, 2);
    assert.deepEqual(world.checkpoints, [2]);
  });

  it('comes after its time, when there is as much as is worth writing', () => {
    const world = createWorld({ minCheckpointCount: 2, maxCheckpointCount: 100, checkpointAfter: 1_000 });
    connect(world, 1);
    append(world, 5);
    settle(world);
    ack(world, 0);
    wait(world);
    settle(world);
    assert.deepEqual(world.checkpoints, []);
    ack(world, 1);
    wait(world);
    settle(world);
    assert.deepEqual(world.checkpoints, [1]);
    assert.ok(world.now >= 1_000);
  });

  it('stays before what is held, to be given again, or being parked', () => {
    const world = createWorld({ maxCheckpointCount: 1 });
    connect(world, 1);
    append(world, 4);
    settle(world);
    ack(world, 1, 2);
    assert.deepEqual(world.checkpoints, []);
    feed(world, { kind: 'nacked', ids: ['event-0'], action: 'park', reason: '' });
    assert.deepEqual(
      world.waiting.map(({ kind }) => kind),
      ['park'],
    );
    settle(world);
    ack(world, 3);
    assert.equal(world.checkpoints.at(-1), 3);
  });

  it('passes what a filter leaves out', () => {
    const world = createWorld({ maxCheckpointCount: 5 });
    connect(world, 1);
    append(world, 20, false);
    settle(world);
    assert.equal(world.checkpoints.at(-1), 19);
    append(world, 2);
    append(world, 2, false);
    settle(world);
    assert.equal(world.checkpoints.at(-1), 19);
    ack(world, 20);
    ack(world, 21);
    append(world, 1, false);
    settle(world);
    assert.equal(world.checkpoints.at(-1), 24);
  });

  it('is written when the last consumer leaves', () => {
    const world = createWorld({ minCheckpointCount: 100, maxCheckpointCount: 100 });
    connect(world, 1);
    append(world, 3);
    settle(world);
    ack(world, 0, 1);
    feed(world, { kind: 'disconnected', consumer: 1 });
    settle(world);
    assert.deepEqual(world.checkpoints, [1]);
  });

  it('is written again when the disk refused it', () => {
    const world = createWorld({ maxCheckpointCount: 1 });
    connect(world, 1);
    append(world, 2);
    settle(world);
    feed(world, { kind: 'acked', ids: ['event-0'] });
    const [refused] = world.waiting.splice(0);
    assert.ok(refused?.kind === 'checkpoint');
    feed(world, { kind: 'checkpointed', at: refused.at, sequence: refused.sequence, stored: false });
    settle(world);
    assert.deepEqual(world.checkpoints, [0]);
  });

  it('goes on behind the one it began with', () => {
    const world = createWorld({ maxCheckpointCount: 1 }, 2);
    world.log.push(...['a', 'b', 'c', 'd'].map((id) => ({ id, pin: 0, matches: true })));
    connect(world, 1);
    assert.deepEqual(
      world.sent.map(({ message }) => message.at),
      [3],
    );
    feed(world, { kind: 'acked', ids: ['d'] });
    settle(world);
    assert.deepEqual(world.checkpoints, [3]);
  });
});
