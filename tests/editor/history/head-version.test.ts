import assert from 'node:assert/strict';
import { right } from 'fp-ts/Either';
import { readDocumentHeadVersion } from '../../../commands/editor/document/head-version';
import { operationLog } from '../../../domain/editor/operation-log/events';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { streamPagesOf } from '../../../infra/adapters/eventstore/read/stream-pages';
import { documentId } from '../documents/examples';
import { operationsCommitted, snapshotTaken } from '../documents/recorded';
import { metadataOf } from '../documents/routes/fixture';
import { tenant } from '../snapshots/small-chunks';

const headOf = async (events: Parameters<typeof operationLog.encode>[0][]) => {
  const store = openMemoryEventStore();
  const stored = events.map((event) => ({
    id: crypto.randomUUID(),
    ...operationLog.encode(event),
    metadata: metadataOf('acme'),
  }));
  await store.append(`editor.log-acme.${documentId}`, 'any', stored);
  return readDocumentHeadVersion(streamPagesOf(store), tenant, documentId);
};

const owned = { type: 'OwnershipTaken', data: { documentId, epoch: 1, ownerProcessId: 'o-1' } } as const;

describe('the last version of a document', () => {
  it('is that of the last batch, also if an earlier version’s snapshot is recorded after it', async () => {
    assert.deepEqual(
      await headOf([operationsCommitted(1, [{}, {}]), operationsCommitted(3, [{}]), snapshotTaken(2)]),
      right(3),
    );
  });

  it('is found behind many takeovers', async () => {
    const owners = Array.from({ length: 200 }, () => owned);
    assert.deepEqual(await headOf([operationsCommitted(1, [{}, {}]), ...owners]), right(2));
  });

  it('is a copy’s base version before its first edit, and undefined for an empty log', async () => {
    const { snapshot } = snapshotTaken(7).data;
    const from = { documentId, version: 7 };
    const copied = { type: 'ContentCopied', data: { documentId, from, snapshot } } as const;
    assert.deepEqual(await headOf([copied, owned]), right(7));
    assert.deepEqual(await headOf([owned]), right(0));
  });
});
