/** A document with many nodes, put where the editor finds it: a snapshot in object storage, and a log that begins with it. */
import { randomUUID } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import type { DocumentId } from '../../../../domain/editor/ids';
import { logStream, operationLog } from '../../../../domain/editor/operation-log/events';
import { serializeNode } from '../../../../domain/editor/snapshot/piece';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { TenantId } from '../../../../domain/kernel/ids';
import type { BlobStore } from '../../../../infra/ports/blob-store';
import type { EventStore } from '../../../../infra/ports/event-store';
import { pieceBlobs } from '../../../../infra/server/documents/piece-blobs';
import { openPieceStore } from '../../../../infra/server/documents/piece-store';
import { makeSnapshot, type SnapshotInput } from '../../../../infra/server/documents/snapshots/snapshot-writer';
import { recordDocument } from '../../../contracts/editor/sessions/fixture';
import { metadata } from '../../../identity/read-api/fixture';
import { nodeAt } from './nodes';

const tenant = 'acme' as TenantId;
/** Of what was copied. */
export const firstVersion = 1;

const rowAt = (index: number) => {
  const node = { ...nodeAt(index), revision: firstVersion };
  return [node.id, serializeNode(node)] as const;
};

interface ContentStores {
  readonly store: EventStore;
  readonly blobs: BlobStore;
}

const noClients = { clients: [], recent: [] };

const taken = async (blobs: BlobStore, making: SnapshotInput): Promise<Snapshot> => {
  const snapshot = await makeSnapshot(openPieceStore(pieceBlobs(blobs), tenant), making);
  if (isLeft(snapshot)) throw new Error(snapshot.left.detail);
  return snapshot.right;
};

const beginWith = async (store: EventStore, snapshot: Snapshot): Promise<void> => {
  const { documentId } = snapshot;
  const from = { documentId: randomUUID() as DocumentId, version: firstVersion };
  const copied = operationLog.encode({ type: 'ContentCopied', data: { documentId, from, snapshot } });
  const event = { id: randomUUID(), ...copied, metadata: metadata('acme') };
  const appended = await store.append(logStream(tenant, documentId), 'no-stream', [event]);
  if (isLeft(appended)) throw new Error(JSON.stringify(appended.left));
};

/** As it is when it has grown for a while: in a base, not in one large change. */
const grown = async (blobs: BlobStore, documentId: DocumentId, nodes: number): Promise<Snapshot> => {
  const [first, ...rest] = Array.from({ length: nodes }, (_, index) => rowAt(index));
  const about = { documentId, version: firstVersion, removed: [], clients: noClients };
  const previous = await taken(blobs, { ...about, changed: rest });
  return taken(blobs, { ...about, changed: first === undefined ? [] : [first], previous });
};

/** Answers its id; `ada` owns it. */
export const makeDocument = async (store: EventStore, blobs: BlobStore, nodes: number): Promise<DocumentId> => {
  const documentId = (await recordDocument(store)) as DocumentId;
  await beginWith(store, await grown(blobs, documentId, nodes));
  return documentId;
};

/** Another one with the same content, which is stored once. */
const makeCopy = async ({ store, blobs }: ContentStores, previous: Snapshot): Promise<DocumentId> => {
  const documentId = (await recordDocument(store)) as DocumentId;
  const about = { documentId, version: firstVersion, removed: [], clients: noClients };
  await beginWith(store, await taken(blobs, { ...about, changed: [], previous }));
  return documentId;
};

export const makeDocuments = async (
  stores: ContentStores,
  nodes: number,
  count: number,
): Promise<readonly DocumentId[]> => {
  const original = await grown(stores.blobs, randomUUID() as DocumentId, nodes);
  return Promise.all(Array.from({ length: count }, () => makeCopy(stores, original)));
};
