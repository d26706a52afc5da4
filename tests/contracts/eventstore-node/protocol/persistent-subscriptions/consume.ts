/** Persistent subscriptions to a stream: delivery and acknowledgement. */
import assert from 'node:assert/strict';
import { isFailed } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { proposed } from '../harness/stream-requests';
import { dropped, full } from './harness/expected-errors';
import { stageOn, succeeded } from './harness/fixture';
import { Action, textsOf } from './harness/manual-consumer';

export const persistentConsumeContract = (server: Server): void => {
  const stage = stageOn(server);

  it('confirms with the names of the stream and the group', async () => {
    const name = await stage.group();
    assert.equal((await stage.consume(name)).subscriptionId, `${name.stream}::${name.group}`);
  });

  it('gives what is there and what comes, in order', async () => {
    const name = await stage.group({ from: 'start' }, 3);
    const consumer = await stage.consume(name);
    assert.deepEqual(textsOf(await consumer.take(3)), ['event 0', 'event 1', 'event 2']);
    await stage.append(name.stream, 2);
    assert.deepEqual(textsOf(await consumer.take(2)), ['event 3', 'event 4']);
  });

  it('starts at a revision, that one included, and at the end', async () => {
    const fromTwo = await stage.group({ from: 2n }, 4);
    assert.deepEqual(textsOf(await (await stage.consume(fromTwo)).take(2)), ['event 2', 'event 3']);
    const fromEnd = await stage.group({ from: 'end' }, 4);
    await stage.append(fromEnd.stream, 1);
    assert.deepEqual(textsOf(await (await stage.consume(fromEnd)).take(1)), ['event 4']);
  });

  it('waits for a stream that is not there yet', async () => {
    const name = await stage.group();
    const consumer = await stage.consume(name);
    await stage.append(name.stream, 1);
    assert.deepEqual(textsOf(await consumer.take(1)), ['event 0']);
  });

  it('gives no more than the consumer has room for, until it acknowledges', async () => {
    const name = await stage.group({}, 6);
    const consumer = await stage.consume(name, 3);
    const first = await consumer.take(3);
    const held = await stage.info(name);
    assert.deepEqual([held.getTotalInFlightMessages(), held.getConnectionsList()[0]?.getAvailableSlots()], [3, 0]);
    consumer.ack(...first.slice(0, 2));
    assert.deepEqual(textsOf(await consumer.take(2)), ['event 3', 'event 4']);
  });

  it('gives a refused event again, with a count', async () => {
    const name = await stage.group({}, 2);
    const consumer = await stage.consume(name);
    const [first] = await consumer.take(2);
    assert.ok(first !== undefined);
    consumer.nack(Action.RETRY, first);
    const [second] = await consumer.take(1);
    assert.equal(second?.text, 'event 0 retry 1');
    consumer.nack(Action.UNKNOWN, second);
    assert.deepEqual(textsOf(await consumer.take(1)), ['event 0 retry 2']);
  });

  it('removes skipped events, and events refused with stop', async () => {
    const name = await stage.group({ maxCheckpointCount: 1 }, 3);
    const consumer = await stage.consume(name);
    const [first, second, third] = await consumer.take(3);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    consumer.nack(Action.SKIP, first);
    consumer.nack(Action.STOP, second);
    consumer.ack(third);
    const info = await stage.eventually(name, (now) => now.getLastCheckpointedEventPosition() === '2');
    assert.deepEqual([info.getOutstandingMessagesCount(), info.getParkedMessageCount()], [0, '0']);
  });

  it('gives an event again when its time is over, and parks it after its retries', async () => {
    const name = await stage.group({ messageTimeout: 100, maxRetryCount: 1 }, 1);
    const consumer = await stage.consume(name);
    assert.deepEqual(textsOf(await consumer.take(2)), ['event 0', 'event 0 retry 1']);
    await stage.eventually(name, (info) => info.getParkedMessageCount() === '1');
  });

  it('gives what a consumer held to others when it leaves', async () => {
    const name = await stage.group({}, 2);
    const first = await stage.consume(name);
    await first.take(2);
    const second = await stage.consume(name);
    first.cancel();
    assert.deepEqual(textsOf(await second.take(2)), ['event 0 retry 1', 'event 1 retry 1']);
  });

  it('takes so many consumers, and another when one leaves', async () => {
    const name = await stage.group({ maxSubscriberCount: 2 });
    const first = await stage.consume(name);
    await stage.consume(name);
    assert.deepEqual(await stage.tryConsume(name), full(name));
    first.cancel();
    await stage.eventually(name, (info) => info.getConnectionsList().length === 1);
    await stage.consume(name);
  });

  it('gives the target beside the link where links are resolved, the link alone where not', async () => {
    const target = (await stage.group({}, 3)).stream;
    for (const [resolveLinks, texts] of [
      [true, ['event 2 by link 0', 'event - by link 1', 'event 2']],
      [false, ['event 0', 'event 1', 'event 2']],
    ] as const) {
      const name = await stage.group({ resolveLinks });
      const links = [`2@${target}`, `9@${target}`].map((data) => proposed({ type: '$>', data: Buffer.from(data) }));
      await stage.append(name.stream, [...links, proposed()]);
      const consumer = await stage.consume(name);
      const given = await consumer.take(3);
      assert.deepEqual(textsOf(given), texts);
      // The link's id is the one to acknowledge by.
      consumer.ack(...given);
      await stage.eventually(name, (info) => info.getOutstandingMessagesCount() === 0);
    }
  });

  it('ignores acknowledgements of what it did not give', async () => {
    const name = await stage.group({}, 1);
    const consumer = await stage.consume(name, 1);
    const [first] = await consumer.take(1);
    assert.ok(first !== undefined);
    const { id } = proposed();
    consumer.ack({ ...first, id });
    consumer.nack(Action.PARK, { ...first, id });
    consumer.nack(Action.RETRY, first);
    assert.deepEqual(textsOf(await consumer.take(1)), ['event 0 retry 1']);
    assert.equal((await stage.info(name)).getParkedMessageCount(), '0');
  });

  it('drops all consumers when the subsystem restarts, and goes on', async () => {
    const name = await stage.group({ maxCheckpointCount: 1 }, 2);
    const consumer = await stage.consume(name);
    const [first] = await consumer.take(2);
    assert.ok(first !== undefined);
    consumer.ack(first);
    await stage.eventually(name, (info) => info.getLastCheckpointedEventPosition() === '0');
    succeeded(await stage.calls().restart());
    assert.deepEqual(await consumer.ended(), dropped(name));
    while (isFailed(await stage.calls().info(name)));
    const again = await stage.consume(name);
    assert.deepEqual(textsOf(await again.take(1)), ['event 1']);
  });
};
