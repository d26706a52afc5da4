/** A scavenge removes only what no read of a stream shows any more. */
import assert from 'node:assert/strict';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { status } from '@grpc/grpc-js';
import { append, read, softDelete, tombstone } from '../protocol/harness/raw-calls';
import { appended, eventsOf, isFailed, textsOf } from '../protocol/harness/replies';
import { several } from '../protocol/harness/stream-requests';
import { directoriesForTests, setMetadata } from './fixture';
import { scavenge, withMaintainedNode } from './scavenge-calls';

/** `stream revision` of everything but the scavenges' own. */
const logOf = async (client: StreamsClient): Promise<readonly string[]> =>
  eventsOf(await read(client, { count: 100_000 })).flatMap((event) => {
    const stream = Buffer.from(event.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
    return stream.includes('$scavenges') ? [] : [`${stream} ${event.getStreamRevision()}`];
  });

const int64Maximum = '9223372036854775807';

describe('scavenge', () => {
  const directory = directoriesForTests('scavenge');

  it('removes what $maxCount, $tb, $maxAge, a soft delete and newer metadata hide, and keeps the last events', async () => {
    await withMaintainedNode(directory(), async ({ client, operations }) => {
      for (const stream of ['counted', 'cut', 'old', 'gone', 'plain'])
        await append(client, { stream, events: several(5) });
      await setMetadata(client, 'counted', '{"$maxCount":4}');
      await setMetadata(client, 'counted', '{"$maxCount":2}');
      await setMetadata(client, 'cut', '{"$tb":3}');
      await setMetadata(client, 'old', '{"$maxAge":0}');
      await softDelete(client, 'gone');
      // Age is counted in milliseconds.
      while (textsOf(await read(client, { stream: 'old', count: 9 })).includes('event 4'));
      const completed = await scavenge({ client, operations });
      assert.deepEqual(
        [completed.result, completed.error, completed.eventsRemoved],
        ['Success', null, 3 + 3 + 4 + 4 + 1],
      );
      assert.ok(completed.spaceSaved > 15 * 100);
      assert.match(completed.timeTaken, /^\d\d:\d\d:\d\d(\.\d{7})?$/);
      assert.deepEqual(
        (await logOf(client)).toSorted(),
        [
          ...['counted 3', 'counted 4', 'cut 3', 'cut 4', 'old 4', 'gone 4'],
          ...[0, 1, 2, 3, 4].map((revision) => `plain ${revision}`),
          ...['$$counted 1', '$$cut 0', '$$old 0', '$$gone 0'],
        ].toSorted(),
      );
    });
  });

  it('leaves of an ended stream and its metadata the tombstone alone', async () => {
    await withMaintainedNode(directory(), async ({ client, operations }) => {
      await append(client, { stream: 'ended', events: several(40) });
      await setMetadata(client, 'ended', '{"$maxCount":30}');
      await tombstone(client, 'ended');
      await scavenge({ client, operations });
      assert.deepEqual(await logOf(client), [`ended ${int64Maximum}`]);
      for (const stream of ['ended', '$$ended']) {
        assert.equal((await read(client, { stream, count: 1 })).failed?.code, status.FAILED_PRECONDITION);
        const refused = await append(client, { stream, events: several(1) });
        assert.ok(isFailed(refused) && refused.code === status.FAILED_PRECONDITION);
      }
    });
  });

  it('goes on numbering, also after a restart, and shows no more when the metadata goes', async () => {
    const data = directory();
    const before = await withMaintainedNode(data, async (maintained) => {
      const { client } = maintained;
      await append(client, { stream: 'a', events: several(10) });
      await setMetadata(client, 'a', '{"$maxCount":1}');
      await append(client, { stream: 'gone', events: several(3) });
      await softDelete(client, 'gone');
      await scavenge(maintained);
      await setMetadata(client, 'a', '{}');
      return appended(await append(client, { stream: 'b', events: several(1) })).position;
    });
    await withMaintainedNode(data, async ({ client }) => {
      assert.deepEqual(textsOf(await read(client, { stream: 'a', count: 20 })), ['event 9', 'last 9']);
      const backwards = await read(client, { stream: 'a', from: 'end', backwards: true, count: 20 });
      assert.deepEqual(textsOf(backwards), ['event 9', 'last 9']);
      for (const from of [3, 8])
        assert.deepEqual(textsOf(await read(client, { stream: 'a', from, backwards: true, count: 20 })), ['last 9']);
      const next = appended(await append(client, { stream: 'a', expected: 9, events: several(1) }));
      assert.equal(next.revision, 10);
      assert.ok(next.position > before);
      const recreated = appended(await append(client, { stream: 'gone', expected: 2, events: several(1) }));
      assert.equal(recreated.revision, 3);
      assert.deepEqual(textsOf(await read(client, { stream: 'gone', count: 9 })), ['event 3', 'last 3']);
    });
  });

  it('scavenges streams whose names are longer than a key', async () => {
    await withMaintainedNode(directory(), async (maintained) => {
      const { client } = maintained;
      const stream = 'long'.repeat(1000);
      await append(client, { stream, events: several(3) });
      for (const count of [5, 1]) await setMetadata(client, stream, `{"$maxCount":${count}}`);
      assert.equal((await scavenge(maintained)).eventsRemoved, 2 + 1);
      assert.deepEqual(textsOf(await read(client, { stream, count: 9 })), ['event 2', 'last 2']);
    });
  });

  it('finds nothing more the second time', async () => {
    await withMaintainedNode(directory(), async (maintained) => {
      const { client } = maintained;
      await append(client, { stream: 'a', events: several(100) });
      await setMetadata(client, 'a', '{"$maxCount":1}');
      assert.equal((await scavenge(maintained)).eventsRemoved, 99);
      const again = await scavenge(maintained);
      assert.deepEqual([again.eventsRemoved, again.spaceSaved], [0, 0]);
    });
  });
});
