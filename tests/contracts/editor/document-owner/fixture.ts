/** Owners on a real log with leases in Redis; documents here are too small to need snapshots. */
import { left } from 'fp-ts/Either';
import type { DocumentRegistry } from '../../../../commands/editor/document-owner/document-handle';
import { ownerSettings } from '../../../../commands/editor/document-owner/settings';
import type { SnapshotStore } from '../../../../commands/editor/ports';
import type { DocumentId, DocumentKey } from '../../../../domain/editor/ids';
import type { TenantId } from '../../../../domain/kernel/ids';
import { fault } from '../../../../domain/kernel/rejection';
import { openEventStore } from '../../../../infra/adapters/eventstore/event-store';
import { openRedisDocumentLeases } from '../../../../infra/adapters/redis/editor/document-leases';
import { startOwner } from '../../../editor/document-owner/fixture';
import { everyoneEdits } from '../../../editor/document-owner/memory-dependencies';

const noSnapshots: SnapshotStore = {
  load: async () => left(fault('snapshots-unavailable', 'There are none.')),
  take: async () => left(fault('snapshots-unavailable', 'There are none.')),
  atVersion: async () => left(fault('snapshots-unavailable', 'There are none.')),
};

export interface OwnerAddresses {
  readonly storeUrl: string;
  readonly redisUrl: string;
  readonly address: string;
}

export const documentKeyOf = (id: string): DocumentKey => ({
  tenant: 'acme' as TenantId,
  documentId: id as DocumentId,
});

export interface OwnerOnStores {
  readonly documents: DocumentRegistry;
  readonly close: () => Promise<void>;
}

export const openOwnerOnStores = ({ storeUrl, redisUrl, address }: OwnerAddresses): OwnerOnStores => {
  const store = openEventStore({ url: storeUrl });
  const owners = openRedisDocumentLeases({ url: redisUrl, address });
  const snapshot = { ...ownerSettings.snapshot, operations: 1_000_000, minOperations: 1_000_000 };
  const settings = { leaseMilliseconds: 600, renewalMilliseconds: 150, snapshot };
  const documents = startOwner(
    { store, leases: owners, access: everyoneEdits().access, snapshots: noSnapshots, settings },
    address,
  );
  return {
    documents,
    close: async () => {
      await documents.close();
      await owners.close();
      await store.close();
    },
  };
};
