/** What a group does with a message, case by case. */
import assert from 'node:assert/strict';
import { append, connect, createWorld, feed, heldBy, sentTo, settle, wait } from './world';

const retriesOf = (world: ReturnType<typeof createWorld>): readonly number[] =>
  world.sent.map(({ message }) => message.retries);

describe('group of consumers', () => {
  it('gives messages in order, up to the slots of its consumer', () => {
    const world = createWorld();
    connect(world, 1, 4);
    append(world, 6);
    settle(world);
    assert.deepEqual(sentTo(world, 1), [0, 1, 2, 3]);
    feed(world, { kind: 'acked', ids: ['event-0', 'event-1'] });
    assert.deepEqual(sentTo(world, 1), [0, 1, 2, 3, 4, 5]);
  });

  it('buffers no more than its history buffer, whatever the log has', () => {
    const world = createWorld({ historyBufferSize: 10, readBatchSize: 3 });
    append(world, 100);
    connect(world, 1, 2);
    assert.ok(world.group.buffer.length <= 10);
    assert.equal(world.waiting.length, 0);
  });

  it('reads nothing without consumers', () => {
    const world = createWorld();
    append(world, 5);
    settle(world);
    assert.equal(world.group.buffer.length, 0);
  });

  it('gives what a consumer that leaves still held to another, in order and with a count', () => {
    const world = createWorld();
    connect(world, 1, 3);
    append(world, 5);
    settle(world);
    feed(world, { kind: 'disconnected', consumer: 1 });
    connect(world, 2);
    assert.deepEqual(sentTo(world, 2), [0, 1, 2, 3, 4]);
    assert.deepEqual(retriesOf(world), [0, 0, 0, 1, 1, 1, 0, 0]);
  });

  it('gives a message again when its time is over, and parks it after its retries', () => {
    const world = createWorld({ messageTimeout: 1_000, maxRetryCount: 2 });
    connect(world, 1);
    append(world, 1);
    settle(world);
    for (let time = 0; time < 3; time += 1) wait(world);
    assert.deepEqual(retriesOf(world), [0, 1, 2]);
    settle(world);
    assert.deepEqual(
      world.parked.map(({ id }) => id),
      ['event-0'],
    );
    assert.equal(world.group.inFlight.size, 0);
  });

  it('retries, parks, skips and lets go as a nack says', () => {
    const world = createWorld();
    connect(world, 1);
    append(world, 4);
    settle(world);
    feed(world, { kind: 'nacked', ids: ['event-0'], action: 'retry', reason: '' });
    feed(world, { kind: 'nacked', ids: ['event-1'], action: 'park', reason: 'bad' });
    feed(world, { kind: 'nacked', ids: ['event-2'], action: 'skip', reason: '' });
    feed(world, { kind: 'nacked', ids: ['event-3'], action: 'stop', reason: '' });
    const [park] = world.waiting;
    assert.deepEqual(park?.kind === 'park' && park.reason, "Client explicitly NAK'ed message.\nbad");
    settle(world);
    assert.deepEqual(heldBy(world, 1), ['event-0']);
    assert.deepEqual(sentTo(world, 1), [0, 1, 2, 3, 0]);
  });

  it('gives a message again that could not be parked', () => {
    const world = createWorld();
    connect(world, 1);
    append(world, 1);
    settle(world);
    feed(world, { kind: 'nacked', ids: ['event-0'], action: 'park', reason: '' });
    feed(world, { kind: 'parked', id: 'event-0', stored: false });
    assert.deepEqual(heldBy(world, 1), ['event-0']);
  });

  it('does not give two messages with one id at a time', () => {
    const world = createWorld();
    connect(world, 1);
    world.log.push({ id: 'same', pin: 0, matches: true }, { id: 'same', pin: 0, matches: true });
    append(world, 1);
    settle(world);
    assert.deepEqual(sentTo(world, 1), [0, 2]);
    feed(world, { kind: 'acked', ids: ['same'] });
    assert.deepEqual(sentTo(world, 1), [0, 2, 1]);
  });

  it('ignores what it did not give', () => {
    const world = createWorld();
    connect(world, 1);
    append(world, 1);
    settle(world);
    feed(world, { kind: 'acked', ids: ['event-9', 'nonsense'] });
    feed(world, { kind: 'nacked', ids: ['event-9'], action: 'park', reason: '' });
    feed(world, { kind: 'disconnected', consumer: 7 });
    settle(world);
    assert.deepEqual(heldBy(world, 1), ['event-0']);
    assert.equal(world.parked.length, 0);
  });
});
