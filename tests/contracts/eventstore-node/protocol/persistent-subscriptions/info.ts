/** Persistent subscriptions: information about groups. */
import assert from 'node:assert/strict';
import type { Server } from '../harness/server-under-test';
import { freshStream } from '../harness/stream-requests';
import { stageOn, succeeded } from './harness/fixture';

const names = (infos: readonly { getEventSource(): string; getGroupName(): string }[]): readonly string[] =>
  infos.map((info) => `${info.getEventSource()}::${info.getGroupName()}`);

export const persistentInfoContract = (server: Server): void => {
  const stage = stageOn(server);
  const { calls } = stage;

  it('describes a group as it was made', async () => {
    const settings = {
      from: 7n,
      resolveLinks: true,
      extraStatistics: true,
      messageTimeout: 1_234,
      maxRetryCount: 3,
      minCheckpointCount: 4,
      maxCheckpointCount: 56,
      checkpointAfter: 789,
      maxSubscriberCount: 5,
      liveBufferSize: 60,
      historyBufferSize: 70,
      readBatchSize: 8,
      strategy: 'PinnedByCorrelation',
    };
    const name = await stage.group(settings);
    const info = await stage.info(name);
    assert.deepEqual([info.getEventSource(), info.getGroupName()], [name.stream, name.group]);
    assert.deepEqual([info.getStartFrom(), info.getResolveLinkTos(), info.getExtraStatistics()], ['7', true, true]);
    assert.deepEqual([info.getMessageTimeoutMilliseconds(), info.getMaxRetryCount()], [1_234, 3]);
    assert.deepEqual([info.getMinCheckPointCount(), info.getMaxCheckPointCount()], [4, 56]);
    assert.deepEqual([info.getCheckPointAfterMilliseconds(), info.getMaxSubscriberCount()], [789, 5]);
    assert.deepEqual([info.getLiveBufferSize(), info.getBufferSize(), info.getReadBatchSize()], [60, 70, 8]);
    assert.equal(info.getNamedConsumerStrategy(), 'PinnedByCorrelation');
    assert.deepEqual([info.getLastCheckpointedEventPosition(), info.getParkedMessageCount()], ['', '0']);
    assert.deepEqual(info.getConnectionsList(), []);
  });

  it('says where a group starts in the way of its kind', async () => {
    const startOf = async (name: { stream?: string; group: string }) => (await stage.info(name)).getStartFrom();
    assert.equal(await startOf(await stage.group({ from: 'start' })), '0');
    assert.equal(await startOf(await stage.group({ from: 'end' })), '-1');
    for (const [from, text] of [
      ['start', 'C:0/P:0'],
      ['end', 'C:-1/P:-1'],
    ] as const) {
      const name = { group: freshStream('group') };
      succeeded(await calls().create(name, { from }));
      assert.equal(await startOf(name), text);
      succeeded(await calls().remove(name));
    }
  });

  it('lists the groups of a stream, of $all, and all there are', async () => {
    const name = await stage.group();
    const second = { ...name, group: 'others' };
    const onAll = { group: freshStream('group') };
    for (const more of [second, onAll]) succeeded(await calls().create(more));
    const [first, other, all] = [name, second, { stream: '$all', ...onAll }].map(
      ({ stream, group }) => `${stream}::${group}`,
    );
    const ofStream = names(succeeded(await calls().list({ stream: name.stream })));
    assert.deepEqual([...ofStream].sort(), [other, first].sort());
    const ofAll = names(succeeded(await calls().list('$all')));
    assert.ok(ofAll.includes(all ?? '') && ofAll.every((one) => one.startsWith('$all::')));
    const everything = names(succeeded(await calls().list('everything')));
    assert.ok([first, other, all].every((one) => everything.includes(one ?? '')));
    succeeded(await calls().remove(onAll));
  });

  it('counts and measures where extra statistics are wanted', async () => {
    const name = await stage.group({ extraStatistics: true }, 3);
    const consumer = await stage.consume(name);
    consumer.ack(...(await consumer.take(3)));
    const info = await stage.eventually(name, (now) => now.getOutstandingMessagesCount() === 0);
    const [connection] = info.getConnectionsList();
    assert.deepEqual([info.getTotalItems(), connection?.getTotalItems()], ['3', '3']);
    const keys = connection?.getObservedMeasurementsList().map((measurement) => measurement.getKey()) ?? [];
    for (const key of ['Mean', 'Median', 'Fastest', 'Quintile 1', '99.9%', 'Highest'])
      assert.ok(keys.includes(key), key);
  });
};
