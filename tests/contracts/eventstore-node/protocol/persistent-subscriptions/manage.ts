/** Persistent subscriptions: making, changing, removing and looking at groups. */
import assert from 'node:assert/strict';
import { PersistentSubscriptionsClient } from '@eventstore/db-client/generated/persistent_grpc_pb';
import { CreateReq } from '@eventstore/db-client/generated/persistent_pb';
import type { ServiceError } from '@grpc/grpc-js';
import { answered, failure } from '../harness/raw-calls';
import { isFailed } from '../harness/replies';
import { givenUrl, type Server } from '../harness/server-under-test';
import { freshStream, identifierOf } from '../harness/stream-requests';
import { dropped, exists, failedFor, missing } from './harness/expected-errors';
import { stageOn, succeeded } from './harness/fixture';
import { textsOf } from './harness/manual-consumer';

export const persistentManageContract = (server: Server): void => {
  const stage = stageOn(server);
  const { calls } = stage;
  const none = () => ({ stream: freshStream('persistent'), group: 'nobody' });

  it('makes a group once', async () => {
    const name = await stage.group();
    assert.deepEqual(await calls().create(name), exists(name));
    succeeded(await calls().create({ ...name, group: 'others' }));
  });

  it('refuses to change, remove, look at, replay or consume what is not there', async () => {
    const name = none();
    assert.deepEqual(await calls().update(name), missing(name));
    assert.deepEqual(await calls().remove(name), missing(name));
    assert.deepEqual(await calls().info(name), missing(name));
    assert.deepEqual(await calls().replay(name), missing(name));
    assert.deepEqual(await stage.tryConsume(name), missing(name));
    assert.deepEqual(await calls().list({ stream: name.stream }), missing({ ...name, group: '' }));
    const onAll = { group: freshStream('group') };
    assert.deepEqual(await calls().info(onAll), missing(onAll));
    assert.deepEqual(await calls().remove(onAll), missing(onAll));
  });

  it('takes what clients before 21.10 send', async () => {
    const name = none();
    await stage.append(name.stream, 3);
    const settings = new CreateReq.Settings()
      .setRevision('1')
      .setReadBatchSize(20)
      .setHistoryBufferSize(500)
      .setMessageTimeoutTicks('20000000')
      .setCheckpointAfterTicks('30000000')
      .setNamedConsumerStrategy(CreateReq.ConsumerStrategy.PINNED);
    const options = new CreateReq.Options().setGroupName(name.group).setSettings(settings);
    const request = new CreateReq().setOptions(options.setStreamIdentifier(identifierOf(name.stream)));
    const client = server.stub(PersistentSubscriptionsClient);
    const create = (answer: (error: ServiceError | null, reply: object) => void) => client.create(request, answer);
    succeeded(await new Promise<object>((resolve) => create(answered(resolve))));
    const info = await stage.info(name);
    assert.deepEqual([info.getMessageTimeoutMilliseconds(), info.getCheckPointAfterMilliseconds()], [2_000, 3_000]);
    assert.deepEqual([info.getNamedConsumerStrategy(), info.getStartFrom()], ['Pinned', '1']);
    assert.deepEqual(textsOf(await (await stage.consume(name)).take(2)), ['event 1', 'event 2']);
  });

  it('refuses a strategy that there is not, and a start beyond the log', async () => {
    const name = none();
    const reason = 'Consumer strategy Random does not exist.';
    assert.deepEqual(await calls().create(name, { strategy: 'Random' }), failedFor(name, reason));
    const onAll = { group: freshStream('group') };
    const beyond = await calls().create(onAll, { from: 1n << 50n });
    assert.deepEqual(
      beyond,
      failedFor(
        onAll,
        'Invalid Start From position: commit position must be less than or equal to the last commit position in the transaction file.',
      ),
    );
  });

  it('removes a group with its consumers, its checkpoint and what it parked', async () => {
    const name = await stage.group({ maxCheckpointCount: 1 }, 3);
    const consumer = await stage.consume(name);
    const [first] = await consumer.take(3);
    assert.ok(first !== undefined);
    consumer.ack(first);
    await stage.eventually(name, (info) => info.getLastCheckpointedEventPosition() === '0');
    succeeded(await calls().remove(name));
    assert.deepEqual(await consumer.ended(), dropped(name));
    assert.deepEqual(await stage.tryConsume(name), missing(name));
    succeeded(await calls().create(name));
    assert.deepEqual(textsOf(await (await stage.consume(name)).take(1)), ['event 0']);
  });

  it('changes a group: its consumers are dropped, and it goes on with the new settings', async () => {
    const name = await stage.group({ maxCheckpointCount: 1 }, 4);
    const consumer = await stage.consume(name);
    const given = await consumer.take(4);
    consumer.ack(...given.slice(0, 2));
    await stage.eventually(name, (info) => info.getLastCheckpointedEventPosition() === '1');
    succeeded(await calls().update(name, { messageTimeout: 4_321, maxRetryCount: 1, from: 'start' }));
    assert.deepEqual(await consumer.ended(), dropped(name));
    const info = await stage.info(name);
    assert.deepEqual([info.getMessageTimeoutMilliseconds(), info.getMaxRetryCount()], [4_321, 1]);
    assert.deepEqual(textsOf(await (await stage.consume(name)).take(2)), ['event 2', 'event 3']);
  });

  // A real node does not answer.
  (givenUrl === undefined ? it : it.skip)('refuses settings that no group can work with', async () => {
    const name = none();
    const refused = await calls().create(name, { readBatchSize: 500, historyBufferSize: 500 });
    assert.ok(isFailed(refused));
    assert.notDeepEqual(refused, failure(0, ''));
  });
};
