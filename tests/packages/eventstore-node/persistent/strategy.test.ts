/** Which consumer a message goes to. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bucketCount,
  bucketOf,
  createPinnedConsumers,
} from '../../../../packages/eventstore-node/src/persistent-subscriptions/group/pinned-strategy';
import { append, connect, createWorld, feed, sentTo, settle } from './world';

const consumerNumbered = (id: number) => ({ id, slots: 10, inFlight: 0, total: 0, latencies: undefined });

describe('strategy of a group', () => {
  it('goes round, past those that are full', () => {
    const world = createWorld({ strategy: 'RoundRobin' });
    connect(world, 1, 1);
    connect(world, 2, 5);
    connect(world, 3, 5);
    append(world, 7);
    settle(world);
    assert.deepEqual(sentTo(world, 1), [0]);
    assert.deepEqual(sentTo(world, 2), [1, 3, 5]);
    assert.deepEqual(sentTo(world, 3), [2, 4, 6]);
  });

  it('keeps to one consumer until it is full', () => {
    const world = createWorld({ strategy: 'DispatchToSingle' });
    connect(world, 1, 3);
    connect(world, 2, 10);
    append(world, 5);
    settle(world);
    assert.deepEqual(sentTo(world, 1), [0, 1, 2]);
    assert.deepEqual(sentTo(world, 2), [3, 4]);
  });

  it('pins: a key stays with its consumer, and a full one holds up only its own', () => {
    const world = createWorld({ strategy: 'Pinned', historyBufferSize: 100, readBatchSize: 50 });
    connect(world, 1, 2);
    connect(world, 2, 100);
    append(world, 70);
    settle(world);
    const keys = (consumer: number) => new Set(sentTo(world, consumer).map((at) => at % 7));
    const [first, second] = [keys(1), keys(2)];
    assert.deepEqual(
      [...first].filter((key) => second.has(key)),
      [],
    );
    assert.ok(second.size > 0);
    assert.equal(sentTo(world, 2).length, second.size * 10);
  });

  it('pins: who leaves is followed by others, who gets the rest in order', () => {
    const world = createWorld({ strategy: 'Pinned', historyBufferSize: 100, readBatchSize: 50 });
    connect(world, 1, 3);
    connect(world, 2, 100);
    append(world, 28);
    settle(world);
    feed(world, { kind: 'disconnected', consumer: 1 });
    settle(world);
    const places = sentTo(world, 2);
    assert.equal(places.length, 28);
    for (let key = 0; key < 7; key += 1) {
      const ofKey = places.filter((at) => at % 7 === key);
      assert.deepEqual(
        ofKey,
        [...ofKey].sort((one, other) => one - other),
      );
    }
  });

  it('pins: one who joins takes no key whose messages another holds', () => {
    const pins = createPinnedConsumers();
    const [first, second] = [consumerNumbered(1), consumerNumbered(2)];
    for (let bucket = 0; bucket < bucketCount; bucket += 1) {
      assert.equal(pins.ownerOf(bucket, [first]), first);
      pins.messageSent(bucket, first);
    }
    pins.consumersChanged();
    for (let bucket = 0; bucket < bucketCount; bucket += 1) assert.equal(pins.ownerOf(bucket, [first, second]), first);
    for (let bucket = 0; bucket < bucketCount; bucket += 1) pins.messageHandled(bucket, first);
    const moved = Array.from({ length: bucketCount }, (_, bucket) => pins.ownerOf(bucket, [first, second]));
    const share = moved.filter((owner) => owner === second).length / bucketCount;
    assert.ok(share > 0.4 && share < 0.6, `${share} of the keys moved`);
  });

  it('pins: keys are spread evenly over consumers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), (count) => {
        const consumers = Array.from({ length: count }, (_, index) => consumerNumbered(index + 1));
        const pins = createPinnedConsumers();
        const owners = Array.from({ length: bucketCount }, (_, bucket) => pins.ownerOf(bucket, consumers)?.id);
        for (const { id } of consumers)
          assert.ok(
            owners.filter((owner) => owner === id).length > bucketCount / count / 2,
            `consumer ${id} of ${count}`,
          );
      }),
    );
  });

  it('has a bucket for every key', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (key) => {
        const bucket = bucketOf(key);
        assert.ok(Number.isInteger(bucket) && bucket >= 0 && bucket < bucketCount);
      }),
    );
  });
});
