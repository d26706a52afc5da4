/** A disk without room: writes are refused and leave nothing, reads go on, and so do writes once there is room. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { status } from '@grpc/grpc-js';
import { temporaryDirectory } from '../../../../support/files/temporary-directory';
import { skip } from '../../../../support/runner/skip';
import { requireSmallDisk, unmountSmallDisk } from '../../../../support/servers/small-disk';
import { batchOf, batchOnce, errorOf } from '../append/batch-calls';
import { withNode } from '../harness/local-node';
import { append, follow, read, softDelete } from '../harness/raw-calls';
import { appended, eventsOf, followedTexts, isFailed } from '../harness/replies';
import { foreignLog, givenUrl } from '../harness/server-under-test';
import { proposed, several } from '../harness/stream-requests';
import { type Consumer, consume, createGroup } from '../persistent-subscriptions/harness/stream-consumer';

/** The stream and its metadata; the subscription's own streams aside. */
const ours = { on: 'stream', regex: '^(\\$\\$)?a$' } as const;

const large = () => [proposed({ data: Buffer.alloc(300_000, 'x') })];

/** Appends until the node refuses; answers how many it took. */
const fill = async (client: StreamsClient): Promise<number> => {
  for (let count = 0; count < 1000; count += 1) {
    const answer = await append(client, { stream: 'a', events: large() });
    if (!isFailed(answer)) continue;
    assert.equal(answer.code, status.UNAVAILABLE, answer.details);
    return count;
  }
  return assert.fail('the disk never filled');
};

/** As the official client does it, which sends batches. */
const appendWithClient = async (url: string): Promise<void> => {
  const client = EventStoreDBClient.connectionString(url);
  try {
    await client.appendToStream('a', jsonEvent({ type: 'Large', data: { text: 'x'.repeat(300_000) } }));
  } finally {
    await client.dispose();
  }
};

const workOff = async (consumer: Consumer, from: number, end: number): Promise<void> => {
  for (let revision = from; revision < end; revision += 1) {
    const got = await consumer.next();
    assert.equal(got?.revision, revision);
    consumer.ack([got.id]);
  }
};

describe('embedded node on a full disk', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('full');
  before(function () {
    if (givenUrl !== undefined) skip(this, foreignLog);
    requireSmallDisk(this, home.path, 24);
  });
  after(() => {
    unmountSmallDisk(home.path);
    home.remove();
  });

  it('refuses writes with UNAVAILABLE, serves reads, and recovers', async () => {
    const ballast = join(home.path, 'ballast');
    const data = join(home.path, 'data');
    writeFileSync(ballast, Buffer.alloc(12 * 1024 * 1024));
    const revisions = (count: number): readonly string[] =>
      Array.from({ length: count }, (_, index) => `event ${index}`);
    const stored = await withNode(data, async ({ node, client }) => {
      const following = follow(client, { stream: 'a', from: 'end' });
      await followedTexts(following, 2);
      await createGroup(node, { stream: 'a', group: 'g' });
      const consumer = consume(node, { stream: 'a', group: 'g', bufferSize: 10 });
      const taken = await fill(client);
      assert.ok(taken > 0);
      assert.equal(eventsOf(await read(client, { stream: 'a', count: 1000 })).length, taken);
      assert.equal(eventsOf(await read(client, { count: 1000, filter: ours })).length, taken);
      assert.equal(errorOf(await batchOnce(client, batchOf('a', 'any', { events: large() }))).code, status.UNAVAILABLE);
      await workOff(consumer, 0, taken);
      await assert.rejects(appendWithClient(node.url), /refused and nothing of it is stored/);
      const together = await Promise.all(
        Array.from({ length: 8 }, () => append(client, { stream: 'a', events: large() })),
      );
      const late = together.filter((answer) => !isFailed(answer)).length;
      rmSync(ballast);
      assert.equal(
        appended(await append(client, { stream: 'a', expected: taken + late - 1, events: several(1) })).revision,
        taken + late,
      );
      assert.deepEqual(await followedTexts(following, taken + late + 1), revisions(taken + late + 1));
      await workOff(consumer, taken, taken + late + 1);
      consumer.close();
      assert.equal(isFailed(await softDelete(client, 'a')), false);
      return taken + late + 1;
    });
    await withNode(data, async ({ client }) => {
      assert.equal(eventsOf(await read(client, { count: 1000, filter: ours })).length, stored + 1);
      assert.equal(appended(await append(client, { stream: 'a', events: several(1) })).revision, stored);
    });
  });
});
