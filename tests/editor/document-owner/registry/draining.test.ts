/** A process that ends: what was sent is answered, and the next one has its documents at once. */
import assert from 'node:assert/strict';
import { closeOnDrain } from '../../../../commands/editor/document-owner/registry/document-registry';
import { ownerSettings } from '../../../../commands/editor/document-owner/settings';
import type { SnapshotRequest } from '../../../../commands/editor/ports';
import { openEndpoints } from '../../sessions/fixture';
import { client, opened, place, stage, statuses, submit, writer } from '../fixture';

const often = { ...ownerSettings.snapshot, operations: 10, minOperations: 1 };

describe('a draining process', () => {
  it('waits a bounded time for snapshots, and releases its documents', async () => {
    const now = stage({ drainMilliseconds: 5, snapshot: often });
    const never = (_: SnapshotRequest) => new Promise<never>(() => undefined);
    const owner = now.owner({ snapshots: { ...now.snapshots, take: never } });
    const document = await opened(owner);
    const ada = writer(client('ada'));
    for (let count = 1; count <= 12; count += 1) await submit(document, [ada.create(count)]);
    await owner.close();
    assert.deepEqual([document.ended.reason, now.shared.size], ['draining', 0]);
    const next = await opened(now.owner());
    assert.equal(next.committedVersion(), 12);
    assert.deepEqual(statuses(await submit(next, [ada.create(13)])), ['applied']);
    await now.close();
  });

  it('acknowledges appends in progress before it redirects clients to an owner that is ready', async () => {
    const now = stage();
    const documents = now.owner();
    const draining = new AbortController();
    const endpoints = await openEndpoints({ now, documents, signal: closeOnDrain(documents, draining.signal) });
    const ada = await endpoints.comes('ada');
    const write = writer((await ada.join()).clientId);
    for (let count = 1; count <= 20; count += 1) ada.send(write.create(count));
    await ada.receive('ack');
    draining.abort();
    const settled: number[] = [];
    for (;;) {
      const message = await ada.next().catch(() => undefined);
      if (message === undefined) break;
      if (message.type === 'ack') settled.push(message.clientSeq);
    }
    const { code } = await ada.client.closed;
    assert.deepEqual([code, now.shared.has(`editor.log-acme.${place.documentId}`)], [1012, false]);
    const next = await opened(now.owner());
    const last = settled.at(-1) ?? 1;
    assert.equal(next.committedVersion(), last);
    await endpoints.close();
    await now.close();
  });
});
