/** Persistent subscriptions: parked events and their replay. */
import assert from 'node:assert/strict';
import { read } from '../harness/raw-calls';
import { eventsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { failedFor } from './harness/expected-errors';
import { stageOn, succeeded } from './harness/fixture';
import { Action, textsOf } from './harness/manual-consumer';
import type { GroupName } from './harness/requests';

const parkedStream = ({ stream, group }: Required<GroupName>): string =>
  `$persistentsubscription-${stream}::${group}-parked`;

export const persistentParkedContract = (server: Server): void => {
  const stage = stageOn(server);
  const { calls } = stage;
  const withParked = async (count: number) => {
    const name = await stage.group({}, count);
    const consumer = await stage.consume(name);
    consumer.nack(Action.PARK, ...(await consumer.take(count)));
    await stage.eventually(name, (info) => info.getParkedMessageCount() === String(count));
    return { name, consumer };
  };

  it('parks a link to the event, with when, why and which', async () => {
    const { name } = await withParked(2);
    const [first, second] = eventsOf(await read(server.raw(), { stream: parkedStream(name), count: 10 }));
    assert.ok(first !== undefined && second !== undefined);
    assert.equal(first.getMetadataMap().get('type'), '$>');
    const links = [first, second].map((event) => Buffer.from(event.getData_asU8()).toString());
    assert.deepEqual([...links].sort(), [`0@${name.stream}`, `1@${name.stream}`]);
    const metadata = JSON.parse(Buffer.from(first.getCustomMetadata_asU8()).toString()) as Record<string, unknown>;
    assert.equal(metadata.reason, "Client explicitly NAK'ed message.\nbecause");
    assert.equal(typeof metadata.subscriptionEventNumber, 'number');
    assert.ok(!Number.isNaN(Date.parse(String(metadata.added))));
  });

  it('gives parked events again, their count from 0, and has none parked then', async () => {
    const { name, consumer } = await withParked(3);
    succeeded(await calls().replay(name));
    const given = await consumer.take(3);
    assert.deepEqual(textsOf(given), ['event 0 by link 0', 'event 1 by link 1', 'event 2 by link 2']);
    consumer.ack(...given);
    const info = await stage.eventually(name, (now) => now.getOutstandingMessagesCount() === 0);
    assert.equal(info.getParkedMessageCount(), '0');
  });

  it('keeps what is replayed for the next consumer where there is none', async () => {
    const { name, consumer } = await withParked(2);
    consumer.cancel();
    await stage.eventually(name, (info) => info.getConnectionsList().length === 0);
    succeeded(await calls().replay(name));
    await stage.eventually(name, (info) => info.getParkedMessageCount() === '0');
    const given = await (await stage.consume(name)).take(2);
    assert.deepEqual(textsOf(given), ['event 0 by link 0', 'event 1 by link 1']);
  });

  it('replays up to the requested event', async () => {
    const { name, consumer } = await withParked(3);
    succeeded(await calls().replay(name, 2));
    const given = await consumer.take(2);
    assert.deepEqual(textsOf(given), ['event 0 by link 0', 'event 1 by link 1']);
    consumer.ack(...given);
    await stage.eventually(name, (info) => info.getParkedMessageCount() === '1');
    succeeded(await calls().replay(name));
    assert.deepEqual(textsOf(await consumer.take(1)), ['event 2 by link 2']);
  });

  it('parks a replayed event again when it is refused again', async () => {
    const { name, consumer } = await withParked(1);
    succeeded(await calls().replay(name));
    consumer.nack(Action.PARK, ...(await consumer.take(1)));
    await stage.eventually(name, (info) => info.getParkedMessageCount() === '1');
    succeeded(await calls().replay(name));
    assert.deepEqual(textsOf(await consumer.take(1)), ['event 0 by link 1']);
  });

  it('has nothing to replay where nothing is parked, and refuses to stop before the first', async () => {
    const name = await stage.group({}, 1);
    succeeded(await calls().replay(name));
    const refused = await calls().replay(name, -1);
    assert.deepEqual(refused, failedFor(name, 'Cannot stop replaying parked message at a negative version.'));
    assert.deepEqual(textsOf(await (await stage.consume(name)).take(1)), ['event 0']);
  });

  it('forgets what was parked when the group is removed', async () => {
    const { name } = await withParked(2);
    succeeded(await calls().remove(name));
    const { replies, failed } = await read(server.raw(), { stream: parkedStream(name), count: 10 });
    assert.equal(failed, undefined);
    assert.ok(replies[0]?.hasStreamNotFound());
    succeeded(await calls().create(name));
    assert.equal((await stage.info(name)).getParkedMessageCount(), '0');
  });
};
