/** What the official client makes of it: the errors and answers that code is written against. */
import assert from 'node:assert/strict';
import {
  ANY,
  END,
  EventStoreDBClient,
  jsonEvent,
  MaxAppendSizeExceededError,
  NO_STREAM,
  START,
  StreamDeletedError,
  StreamNotFoundError,
  streamNameFilter,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { accountIn } from './harness/channel';
import type { Server } from './harness/server-under-test';
import { freshStream } from './harness/stream-requests';

const event = (index = 0) => jsonEvent({ type: 'Happened', data: { index }, metadata: { actor: 'a' } });
const drain = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
};

export const clientContract = ({ client, url }: Server): void => {
  const ownCredentials = () => {
    const { login, password } = accountIn(url());
    return { username: login, password };
  };

  it('appends and reads back, through batches and through single appends', async () => {
    const stream = freshStream('client');
    const batched = await client().appendToStream(stream, [event(0), event(1)], { expectedRevision: NO_STREAM });
    assert.deepEqual([batched.success, batched.nextExpectedRevision], [true, 1n]);
    // Credentials of the call make the client use Append.
    const credentials = ownCredentials();
    const single = await client().appendToStream(stream, [event(2)], { expectedRevision: 1n, credentials });
    assert.deepEqual([single.success, single.nextExpectedRevision], [true, 2n]);
    const found = await drain(client().readStream(stream));
    assert.deepEqual(
      found.map((resolved) => resolved.event?.data),
      [{ index: 0 }, { index: 1 }, { index: 2 }],
    );
    assert.deepEqual(
      found.map((resolved) => resolved.event?.metadata),
      Array(3).fill({ actor: 'a' }),
    );
    assert.equal(found[2]?.event?.position?.commit, single.position?.commit);
  });

  it('throws WrongExpectedVersionError with both revisions, through both ways', async () => {
    const stream = freshStream('client');
    await client().appendToStream(stream, [event(), event()]);
    for (const credentials of [undefined, ownCredentials()])
      await assert.rejects(
        client().appendToStream(stream, [event()], { expectedRevision: 7n, credentials }),
        (error) => {
          assert.ok(error instanceof WrongExpectedVersionError);
          assert.deepEqual([error.streamName, error.expectedVersion, error.actualVersion], [stream, 7n, 1n]);
          return true;
        },
      );
  });

  it('answers a refused append instead with throwOnAppendFailure off', async () => {
    const quiet = EventStoreDBClient.connectionString(`${url()}&throwOnAppendFailure=false`);
    const answer = await quiet.appendToStream(freshStream('client'), [event()], { expectedRevision: 3n });
    await quiet.dispose();
    assert.equal(answer.success, false);
  });

  it('throws StreamNotFoundError, StreamDeletedError and MaxAppendSizeExceededError', async () => {
    const stream = freshStream('client');
    await assert.rejects(drain(client().readStream(stream)), StreamNotFoundError);
    await client().tombstoneStream(stream);
    await assert.rejects(drain(client().readStream(stream)), StreamDeletedError);
    await assert.rejects(client().appendToStream(stream, [event()]), StreamDeletedError);
    const large = jsonEvent({ type: 'Large', data: { text: 'x'.repeat(1_100_000) } });
    await assert.rejects(client().appendToStream(freshStream('client'), [large]), (error) => {
      assert.ok(error instanceof MaxAppendSizeExceededError);
      return error.maxAppendSize === 1_048_576;
    });
  });

  it('sets and reads stream metadata', async () => {
    const stream = freshStream('client');
    assert.equal((await client().getStreamMetadata(stream)).metadata, undefined);
    await client().setStreamMetadata(stream, { maxCount: 2, truncateBefore: 1, owner: 'a' });
    const { metadata } = await client().getStreamMetadata<{ owner: string }>(stream);
    assert.deepEqual([metadata?.maxCount, metadata?.truncateBefore, metadata?.owner], [2, 1, 'a']);
  });

  it('deletes and reports wrong revisions of a delete', async () => {
    const stream = freshStream('client');
    await client().appendToStream(stream, [event()]);
    await assert.rejects(client().deleteStream(stream, { expectedRevision: 4n }), WrongExpectedVersionError);
    await client().deleteStream(stream, { expectedRevision: 0n });
    await assert.rejects(drain(client().readStream(stream)), StreamNotFoundError);
    await client().deleteStream(stream, { expectedRevision: ANY });
  });

  it('reads the last event backwards and $all forwards', async () => {
    const stream = freshStream('client');
    const { position } = await client().appendToStream(stream, [event(0), event(1)]);
    const [last] = await drain(client().readStream(stream, { direction: 'backwards', fromRevision: END, maxCount: 1 }));
    assert.equal(last?.event?.revision, 1n);
    assert.ok(position !== undefined);
    const [there] = await drain(client().readAll({ fromPosition: position, maxCount: 1 }));
    assert.equal(there?.event?.id, last.event.id);
  });

  it('follows $all by stream prefix, with caughtUp and checkpoints', async () => {
    const stream = freshStream('client');
    const filter = streamNameFilter({ prefixes: [stream], checkpointInterval: 1, maxSearchWindow: 10 });
    const reached: bigint[] = [];
    const subscription = client().subscribeToAll({
      fromPosition: START,
      filter: { ...filter, checkpointReached: async (_, position) => void reached.push(position.commit) },
    });
    await new Promise<void>((resolve) => subscription.once('caughtUp', resolve).resume());
    subscription.pause();
    await client().appendToStream(stream, [event(5)]);
    for await (const resolved of subscription) {
      assert.deepEqual(resolved.event?.data, { index: 5 });
      break;
    }
    await subscription.unsubscribe();
    assert.ok(reached.length > 0);
  });

  it('finds the node by gossip', async () => {
    const discovering = EventStoreDBClient.connectionString(url().replace(/^esdb(\+discover)?:/, 'esdb+discover:'));
    const stream = freshStream('client');
    const answer = await discovering.appendToStream(stream, [event()]);
    await discovering.dispose();
    assert.equal(answer.success, true);
  });
};
