/** Parked messages given out again. */
import assert from 'node:assert/strict';
import { append, connect, createWorld, feed, settle } from './world';

const withParked = (count: number) => {
  const world = createWorld();
  connect(world, 1);
  append(world, count);
  settle(world);
  feed(world, { kind: 'nacked', ids: world.log.map(({ id }) => id), action: 'park', reason: '' });
  settle(world);
  world.sent.length = 0;
  return world;
};

const replay = (world: ReturnType<typeof createWorld>, stopAt?: number): void => {
  feed(world, { kind: 'replay', first: world.truncations.at(-1) ?? 0, last: world.parked.length - 1, stopAt });
  settle(world);
};

const replayedAt = (world: ReturnType<typeof createWorld>): readonly number[] =>
  world.sent.filter(({ message }) => message.replayed).map(({ message }) => message.at);

describe('replay of parked messages', () => {
  it('gives them out with a count of 0, and cuts the parked stream behind what is settled', () => {
    const world = withParked(4);
    replay(world);
    assert.deepEqual(replayedAt(world), [0, 1, 2, 3]);
    assert.deepEqual(
      world.sent.map(({ message }) => message.retries),
      [0, 0, 0, 0],
    );
    assert.deepEqual(world.truncations, []);
    feed(world, { kind: 'acked', ids: ['parked-0', 'parked-1', 'parked-2', 'parked-3'] });
    settle(world);
    assert.deepEqual(world.truncations, [4]);
  });

  it('stops at the requested count, and continues from there', () => {
    const world = withParked(5);
    replay(world, 2);
    assert.deepEqual(replayedAt(world), [0, 1]);
    replay(world);
    assert.deepEqual(replayedAt(world), [0, 1, 2, 3, 4]);
  });

  it('gives nothing twice that is still held from a replay before', () => {
    const world = withParked(3);
    replay(world);
    replay(world);
    assert.deepEqual(replayedAt(world), [0, 1, 2]);
  });

  it('waits for a consumer', () => {
    const world = withParked(3);
    feed(world, { kind: 'disconnected', consumer: 1 });
    replay(world);
    assert.deepEqual(replayedAt(world), []);
    connect(world, 2);
    assert.deepEqual(replayedAt(world), [0, 1, 2]);
  });

  it('parks again what is refused again', () => {
    const world = withParked(1);
    replay(world);
    feed(world, { kind: 'nacked', ids: ['parked-0'], action: 'park', reason: '' });
    settle(world);
    assert.equal(world.parked.length, 2);
    assert.deepEqual(world.truncations, [1]);
  });

  it('reads only as much as there is room for', () => {
    const world = withParked(10);
    const [first] = world.parked;
    assert.ok(first !== undefined);
    for (let position = 0; position < 40; position += 1) world.parked.push({ ...first, position });
    feed(world, { kind: 'disconnected', consumer: 1 });
    connect(world, 2, 1);
    replay(world);
    assert.ok(world.group.retry.length <= 10);
    assert.ok(world.group.replay !== undefined);
  });
});
