/** Subscribers that stop reading cost the node no memory, delay no others, and get everything once they read again. */

import assert from 'node:assert/strict';
import type { EventEmitter } from 'node:events';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { batchOf } from '../../contracts/eventstore-node/protocol/append/batch-calls';
import { connectTo, withNodeHere } from '../../contracts/eventstore-node/protocol/harness/local-node';
import { append, type Followed, follow, openBatch } from '../../contracts/eventstore-node/protocol/harness/raw-calls';
import { followedTexts, isFailed } from '../../contracts/eventstore-node/protocol/harness/replies';
import { foreignLog, givenUrl } from '../../contracts/eventstore-node/protocol/harness/server-under-test';
import { proposed } from '../../contracts/eventstore-node/protocol/harness/stream-requests';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { retainedBytes } from '../../support/runner/retained-memory';
import { skip } from '../../support/runner/skip';

const slow = 10;
const batches = 200;
const perBatch = 500;
const dataBytes = 1_000;
const mebibyte = 1024 * 1024;
/** Written without waiting for room, the events would take 24 MiB; what both ends hold takes 5. */
const mostGrowth = 10 * mebibyte;

const many = 200;
const perConnection = 10;
const written = 20;
/** One page that waits for room takes 0.3 MiB; written without waiting for room, the events would take 1.7. */
const mostGrowthForMany = 0.7 * many * mebibyte;

/** Answers bring the name back: long, it fills the client's window with few of them. */
const deafStream = 'deaf'.padEnd(1_800, '-');
/** Unread answers, and the requests that wait for them. */
const mostForAnswers = 8 * mebibyte;

const write = async (client: StreamsClient, stream: string, count: number): Promise<void> => {
  const data = Buffer.alloc(dataBytes, 'x');
  const call = openBatch(client);
  for (let batch = 0; batch < count; batch += 1) {
    call.send(batchOf(stream, 'any', { events: Array.from({ length: perBatch }, () => proposed({ data })) }));
    assert.ok((await call.next()).hasSuccess());
  }
  await call.end();
};

const checkOrder = async (following: Followed, from: number, end: number): Promise<void> => {
  for (let revision = from; revision < end; revision += 1) {
    const reply = await following.next();
    if (isFailed(reply)) assert.fail(`ended at ${revision}: ${JSON.stringify(reply)}`);
    assert.equal(reply.getEvent()?.getEvent()?.getStreamRevision(), String(revision));
  }
};

/** For as long as another client gets a hundred answers. */
const isHeldUp = async (call: EventEmitter, other: StreamsClient): Promise<boolean> => {
  const free = { yet: false };
  call.once('drain', () => {
    free.yet = true;
  });
  for (let round = 0; round < 100; round += 1) {
    assert.ok(!isFailed(await append(other, { stream: 'other', events: [proposed()] })));
    if (free.yet) return false;
  }
  return true;
};

describe('embedded node with slow subscribers', function () {
  this.timeout(120_000);
  const home = temporaryDirectory('slow');
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
  });
  after(() => home.remove());

  it(`serves ${batches * perBatch} events to ${slow} that do not read without keeping them, then delivers all`, () =>
    withNodeHere(`${home.path}/few`, async ({ node, client }) => {
      await write(client, 'warm', batches / 4);
      const connections = Array.from({ length: slow }, () => connectTo(node));
      const followed = connections.map((connection) => follow(connection, { stream: 'a', from: 'end' }));
      for (const following of followed) await followedTexts(following, 2);
      const before = await retainedBytes();
      await write(client, 'a', batches);
      const growth = (await retainedBytes()) - before;
      assert.ok(growth < mostGrowth, `${growth} bytes more`);
      const [first, second, ...others] = followed;
      for (const following of others) following.cancel();
      assert.ok(first !== undefined && second !== undefined);
      await Promise.all([first, second].map((following) => checkOrder(following, 0, batches * perBatch)));
      await append(client, { stream: 'a', events: [proposed()] });
      assert.deepEqual(await followedTexts(first, 1), [`event ${batches * perBatch}`]);
      for (const following of [first, second]) following.cancel();
      for (const connection of connections) connection.close();
    }));

  it(`keeps nothing for ${many} that do not read, and others go on beside them`, () =>
    withNodeHere(`${home.path}/many`, async ({ node, client }) => {
      await write(client, 'warm', batches / 4);
      const connections = Array.from({ length: many / perConnection }, () => connectTo(node));
      const slowOnes = connections.flatMap((connection) =>
        Array.from({ length: perConnection }, (_, index) =>
          follow(connection, index % 2 === 0 ? { stream: 'a', from: 'end' } : { from: 'end' }),
        ),
      );
      for (const following of slowOnes) await followedTexts(following, 2);
      const reading = connectTo(node);
      const fast = follow(reading, { stream: 'a', from: 'end' });
      await followedTexts(fast, 2);
      const before = await retainedBytes();
      const arriving = checkOrder(fast, 0, written * perBatch);
      await write(client, 'a', written);
      await arriving;
      const growth = (await retainedBytes()) - before;
      assert.ok(growth < mostGrowthForMany, `${growth} bytes more`);
      const [late] = slowOnes;
      assert.ok(late !== undefined);
      await checkOrder(late, 0, written * perBatch);
      for (const following of [fast, ...slowOnes]) following.cancel();
      for (const connection of [reading, ...connections]) connection.close();
    }));

  it('takes no more requests from a client that reads no answers, and all of them once it does', () =>
    withNodeHere(`${home.path}/answers`, async ({ node, client }) => {
      const before = await retainedBytes();
      const deaf = connectTo(node);
      const call = deaf.batchAppend();
      call.on('error', () => undefined);
      const send = (): boolean => call.write(batchOf(deafStream, 'any', { events: [proposed()] }));
      const answers = call[Symbol.asyncIterator]() as AsyncIterator<BatchAppendResp>;
      send();
      // The client's own side reads on until the first `next`.
      assert.ok((await answers.next()).value.hasSuccess());
      let sent = 0;
      for (let held = false; !held; sent += 1) {
        assert.ok(sent < 20_000, 'everything was taken');
        if (!send()) held = await isHeldUp(call, client);
      }
      const growth = (await retainedBytes()) - before;
      assert.ok(growth < mostForAnswers, `${growth} bytes more`);
      for (let left = sent; left > 0; left -= 1) assert.ok((await answers.next()).value.hasSuccess());
      deaf.close();
    }));
});
