/** The events in the log of a node without any client's writes, and of one from before nodes wrote events of their own. */
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { EventStoreDBClient } from '@eventstore/db-client';
import { temporaryDirectory } from '../../../support/files/temporary-directory';
import { certificatesIn } from '../../../support/servers/certificates';
import { type EventStoreNode, startNodeHere } from '../../../support/servers/event-store-node';
import { importByCommand } from '../transfer/command-line';
import { exportFrom } from '../transfer/in-process-transfers';
import { fillLog, recordsIn } from '../transfer/varied-log';

interface Found {
  readonly stream: string | undefined;
  readonly type: string | undefined;
  readonly data: unknown;
}

describe('the first events of a node', function () {
  this.timeout(60_000);
  const home = temporaryDirectory('first-events');
  const running = new Set<EventStoreNode>();
  afterEach(async () => {
    for (const node of running) await node.stop();
    running.clear();
  });
  after(() => home.remove());

  const start = async (name: string, certs?: string): Promise<EventStoreNode> => {
    const node = await startNodeHere(join(home.path, name), certs);
    running.add(node);
    return node;
  };
  const stop = async (node: EventStoreNode): Promise<void> => {
    running.delete(node);
    await node.stop();
  };
  const allOf = async ({ url }: EventStoreNode, direction: 'forwards' | 'backwards' = 'forwards') => {
    const client = EventStoreDBClient.connectionString(url);
    const found: Found[] = [];
    const fromPosition = direction === 'forwards' ? 'start' : 'end';
    for await (const { event } of client.readAll({ direction, fromPosition, maxCount: 100 }))
      found.push({ stream: event?.streamId, type: event?.type, data: event?.data });
    await client.dispose();
    return found;
  };
  const scavenges: Found = {
    stream: '$$$scavenges',
    type: '$metadata',
    data: { $maxAge: 2_592_000, $acl: { $r: '$ops', $w: [], $d: [], $mr: [], $mw: [] } },
  };

  it('are there from its start, so that the newest event of the log is found, and are not written again', async () => {
    const node = await start('fresh');
    assert.deepEqual(await allOf(node), [scavenges]);
    assert.deepEqual(await allOf(node, 'backwards'), [scavenges]);
    await stop(node);
    assert.deepEqual(await allOf(await start('fresh')), [scavenges]);
  });

  it('come before the users of a secure node, in the order of EventStoreDB', async () => {
    const node = await start('secure', await certificatesIn(join(home.path, 'certs')));
    const found = (await allOf(node)).map(({ stream, type }) => `${stream} ${type}`);
    assert.deepEqual(found, [
      '$$$scavenges $metadata',
      '$$$user-admin $metadata',
      '$$$user-ops $metadata',
      '$user-admin $UserCreated',
      '$user-ops $UserCreated',
      '$users $User',
      '$users $User',
    ]);
  });

  it('are not added to a directory that holds a log already', async () => {
    const data = join(home.path, 'older');
    await fillLog(data);
    const before = await recordsIn(data);
    await stop(await start('older'));
    assert.deepEqual(await recordsIn(data), before);
  });

  it('are the same on every node, so that the whole log of one can be imported into another new one', async () => {
    const source = await start('source');
    const client = EventStoreDBClient.connectionString(source.url);
    await client.setStreamMetadata('orders', { maxCount: 3 });
    await client.dispose();
    const log = await exportFrom(source.url, { system: true });
    const target = await start('target');
    await importByCommand(['--url', target.url], log);
    assert.deepEqual(await allOf(target), await allOf(source));
    await rm(join(home.path, 'by-directory'), { recursive: true, force: true });
    await importByCommand(['--data', join(home.path, 'by-directory')], log);
    await stop(source);
    assert.deepEqual(await recordsIn(join(home.path, 'by-directory')), await recordsIn(join(home.path, 'source')));
  });
});
