/** Reads of what a scavenge removed: by readers, subscribers and links; and writers that repeat an append. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { append, follow, read } from '../protocol/harness/raw-calls';
import { appended, eventsOf, followedTexts, isFailed, textsOf } from '../protocol/harness/replies';
import { proposed, several } from '../protocol/harness/stream-requests';
import { directoriesForTests, setMetadata } from './fixture';
import { scavenge, withMaintainedNode } from './scavenge-calls';

describe('readers after a scavenge', () => {
  const directory = directoriesForTests('scavenge-readers');

  it('lets readers and subscribers go on from a position whose record is gone', async () => {
    await withMaintainedNode(directory(), async (maintained) => {
      const { client } = maintained;
      const gone = appended(await append(client, { stream: 'a', events: several(1) })).position;
      await append(client, { stream: 'a', events: several(2) });
      await append(client, { stream: 'b', events: several(2) });
      await setMetadata(client, 'a', '{"$maxCount":1}');
      await scavenge(maintained);
      assert.deepEqual(textsOf(await read(client, { from: gone, count: 3 })), ['event 2', 'event 0', 'event 1']);
      const [before, ...more] = eventsOf(await read(client, { from: gone, backwards: true, count: 3 }));
      const first = Buffer.from(before?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString();
      assert.deepEqual([first, more.length], ['$$$scavenges', 0], 'the log’s own first event, and nothing else');
      const following = follow(client, { from: gone });
      assert.deepEqual(await followedTexts(following, 4), ['confirmation', 'event 2', 'event 0', 'event 1']);
      following.cancel();
      const ofStream = follow(client, { stream: 'a', from: 0 });
      assert.deepEqual(await followedTexts(ofStream, 3), ['confirmation', 'event 2', 'caught up']);
      ofStream.cancel();
    });
  });

  it('still refuses a position where no record can have been', async () => {
    await withMaintainedNode(directory(), async (maintained) => {
      const { client } = maintained;
      await append(client, { stream: 'a', events: several(2) });
      await setMetadata(client, 'a', '{"$maxCount":1}');
      await scavenge(maintained);
      const { position } = appended(await append(client, { stream: 'b', events: several(1) }));
      await append(client, { stream: 'b', events: several(1) });
      assert.equal((await read(client, { from: position + 1n, count: 1 })).failed?.code, status.UNKNOWN);
    });
  });

  it('recognises an append whose events it removed, and refuses what was never there', async () => {
    await withMaintainedNode(directory(), async (maintained) => {
      const { client } = maintained;
      const events = several(3);
      const first = appended(await append(client, { stream: 'a', expected: 'no_stream', events }));
      await append(client, { stream: 'a', expected: 2, events: several(3) });
      await setMetadata(client, 'a', '{"$maxCount":1}');
      await scavenge(maintained);
      for (const expected of ['no_stream', 'any'] as const)
        assert.deepEqual(appended(await append(client, { stream: 'a', expected, events })), first);
      const other = await append(client, { stream: 'a', expected: 'no_stream', events: several(3) });
      assert.ok(!isFailed(other) && other.getWrongExpectedVersion() !== undefined);
      assert.deepEqual(textsOf(await read(client, { stream: 'a', count: 9 })), ['event 5', 'last 5']);
    });
  });

  it('leaves links whose target it removed as links alone', async () => {
    await withMaintainedNode(directory(), async (maintained) => {
      const { client } = maintained;
      await append(client, { stream: 'a', events: several(3) });
      const links = [0, 2].map((revision) => proposed({ type: '$>', data: Buffer.from(`${revision}@a`) }));
      await append(client, { stream: 'links', events: links });
      await setMetadata(client, 'a', '{"$maxCount":1}');
      await scavenge(maintained);
      await setMetadata(client, 'a', '{}');
      const resolved = await read(client, { stream: 'links', count: 9, resolveLinks: true });
      assert.deepEqual(textsOf(resolved), ['event - by link 0', 'event 2 by link 1', 'last 1']);
    });
  });
});
