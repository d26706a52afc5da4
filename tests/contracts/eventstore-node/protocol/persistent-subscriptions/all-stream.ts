/** Persistent subscriptions to `$all`, with and without a filter. */
import assert from 'node:assert/strict';
import { read } from '../harness/raw-calls';
import { eventsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed } from '../harness/stream-requests';
import { dropped, exists, full } from './harness/expected-errors';
import { stageOn, succeeded } from './harness/fixture';
import { Action, textsOf } from './harness/manual-consumer';
import type { GroupSettings } from './harness/requests';

export const persistentAllContract = (server: Server): void => {
  const stage = stageOn(server);
  const { calls } = stage;
  const made: string[] = [];
  afterEach(async () => {
    for (const group of made.splice(0)) await calls().remove({ group });
  });
  const groupOnAll = async (settings: GroupSettings) => {
    const name = { group: freshStream('group') };
    succeeded(await calls().create(name, settings));
    made.push(name.group);
    return name;
  };
  const ofStream = (stream: string): GroupSettings['filter'] => ({ on: 'stream', prefixes: [stream] });

  it('gives matching events by prefix and by expression, of the stream and of the type', async () => {
    const stream = freshStream('all');
    await stage.append(stream, [proposed({ type: 'Wanted' }), proposed({ type: `Other-${stream}` })]);
    const expectations: readonly [GroupSettings['filter'], readonly string[]][] = [
      [ofStream(stream), ['event 0', 'event 1']],
      [{ on: 'stream', regex: `^${stream}$` }, ['event 0', 'event 1']],
      [{ on: 'type', prefixes: [`Other-${stream}`] }, ['event 1']],
      [{ on: 'type', regex: `^Other-${stream}$` }, ['event 1']],
    ];
    for (const [filter, texts] of expectations) {
      const consumer = await stage.consume(await groupOnAll({ filter }));
      assert.deepEqual(textsOf(await consumer.take(texts.length)), texts);
      consumer.cancel();
    }
  });

  it('starts at a position, that one included, and at the end', async () => {
    const stream = freshStream('all');
    const { position } = await stage.append(stream, 1);
    await stage.append(stream, 1);
    const filter = ofStream(stream);
    const fromPosition = await groupOnAll({ filter, from: position });
    assert.deepEqual(textsOf(await (await stage.consume(fromPosition)).take(2)), ['event 0', 'event 1']);
    const fromEnd = await groupOnAll({ filter, from: 'end' });
    await stage.append(stream, 1);
    assert.deepEqual(textsOf(await (await stage.consume(fromEnd)).take(1)), ['event 2']);
  });

  it('gives everything without a filter, in the order of the log', async () => {
    const stream = freshStream('all');
    const { position } = await stage.append(stream, 1);
    const name = await groupOnAll({ from: position });
    const consumer = await stage.consume(name, 100);
    await stage.append(stream, 2);
    let before = 0n;
    for (let mine = 0; mine < 3; ) {
      const [given] = await consumer.take(1);
      const event = given?.event.getEvent();
      const here = BigInt(event?.getCommitPosition() ?? 0);
      assert.ok(here > before, 'positions do not grow');
      before = here;
      if (Buffer.from(event?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString() === stream) mine += 1;
    }
  });

  it('retries, parks and replays as on a stream', async () => {
    const stream = freshStream('all');
    await stage.append(stream, 1);
    const name = await groupOnAll({ filter: ofStream(stream) });
    const consumer = await stage.consume(name);
    consumer.nack(Action.RETRY, ...(await consumer.take(1)));
    const again = await consumer.take(1);
    assert.deepEqual(textsOf(again), ['event 0 retry 1']);
    consumer.nack(Action.PARK, ...again);
    await stage.eventually(name, (info) => info.getParkedMessageCount() === '1');
    succeeded(await calls().replay(name));
    assert.deepEqual(textsOf(await consumer.take(1)), ['event 0 by link 0']);
  });

  it('leaves its own checkpoints and parked events out of $all', async () => {
    const stream = freshStream('all');
    const { position } = await stage.append(stream, 3);
    const name = await groupOnAll({ filter: ofStream(stream), maxCheckpointCount: 1 });
    const consumer = await stage.consume(name);
    const [first, second, third] = await consumer.take(3);
    assert.ok(first !== undefined && second !== undefined && third !== undefined);
    consumer.nack(Action.PARK, first);
    await stage.eventually(name, (info) => info.getParkedMessageCount() === '1');
    consumer.ack(second, third);
    const info = await stage.eventually(name, (now) => now.getLastCheckpointedEventPosition() !== '');
    assert.match(info.getLastCheckpointedEventPosition(), /^C:\d+\/P:\d+$/);
    const notes = `$persistentsubscription-$all::${name.group}`;
    assert.equal(eventsOf(await read(server.raw(), { stream: `${notes}-parked`, count: 1 })).length, 1);
    const inAll = eventsOf(await read(server.raw(), { from: position, count: 1_000 }));
    const streams = inAll.map((event) =>
      Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
    );
    assert.deepEqual(
      streams.filter((one) => one.startsWith(notes)),
      [],
    );
  });

  it('keeps its filter when it is changed, and is refused as groups on streams are', async () => {
    const stream = freshStream('all');
    const name = await groupOnAll({ filter: ofStream(stream), from: 'end' });
    assert.deepEqual(await calls().create(name), exists(name));
    const consumer = await stage.consume(name);
    succeeded(await calls().update(name, { from: 'end', maxSubscriberCount: 1 }));
    assert.deepEqual(await consumer.ended(), dropped(name));
    const again = await stage.consume(name);
    assert.deepEqual(await stage.tryConsume(name), full(name));
    await stage.append(freshStream('other'), 1);
    await stage.append(stream, 1);
    assert.deepEqual(textsOf(await again.take(1)), ['event 0']);
    assert.equal((await stage.info(name)).getEventSource(), '$all');
  });
};
