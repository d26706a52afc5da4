/** Owners of documents over one log in memory, as many as a test wants, and clients that write in them. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { openClientIds } from '../../../commands/editor/owner/client-ids';
import { openDocuments } from '../../../commands/editor/owner/documents';
import { noFigures } from '../../../commands/editor/owner/figures';
import type { Access, SnapshotStore } from '../../../commands/editor/owner/needs';
import { type OwnerSettings, ownerSettings } from '../../../commands/editor/owner/settings';
import type { Committed, Documents, OpenDocument } from '../../../commands/editor/owner/types';
import type { ClientId, DocumentId, NodeId, OperationId } from '../../../domain/editor/ids';
import { type LogEvent, log } from '../../../domain/editor/log/events';
import type { Operation } from '../../../domain/editor/operation';
import { canonicalScene } from '../../../domain/editor/scene/canonical';
import type { Scene } from '../../../domain/editor/scene/scene';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/eventstore/memory';
import { streamPagesOf } from '../../../infra/eventstore/stream-pages';
import type { DocumentOwners } from '../../../infra/ports/document-owners';
import type { EventStore } from '../../../infra/ports/event-store';
import { openMemoryDocumentOwners, type SharedOwners } from '../../../infra/redis/memory-document-owners';
import { hearingLog } from '../../support/quiet';
import { roles, type SnapshotsTwin, snapshotsTwin } from './twins';

export const place: DocumentKey = { tenant: 'acme' as TenantId, documentId: 'doc-1' as DocumentId };
export const stream = logStream(place.tenant, place.documentId);
const noon = '2026-01-31T12:00:00.000Z' as Instant;

const clock = { now: () => noon };
const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
/** Of all owners: a client keeps its id where the next one has the document. */
export const clientIds = openClientIds({ key: 'e'.repeat(43), clock, random });

export interface Around {
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly owners: DocumentOwners;
  readonly access: Access;
  readonly snapshots: SnapshotStore;
  readonly settings: Partial<OwnerSettings>;
}

export const startOwner = (around: Around, processId: string = randomUUID()): Documents =>
  openDocuments({
    ...around,
    pages: streamPagesOf(around.store),
    clock,
    random,
    clientIds,
    log: hearingLog(),
    figures: noFigures,
    settings: { ...ownerSettings, ...around.settings },
    processId,
  });

export interface Stage extends Around {
  readonly store: EventStore;
  readonly shared: SharedOwners;
  readonly snapshots: SnapshotsTwin;
  readonly roles: ReturnType<typeof roles>;
  /** One more process; what is given replaces what all have. */
  readonly owner: (own?: Partial<Around>) => Documents;
  /** One that hears nothing of the others' leases. */
  readonly rival: (own?: Partial<Around>) => Documents;
  readonly close: () => Promise<void>;
}

export const stage = (settings: Partial<OwnerSettings> = {}): Stage => {
  const store = openMemoryEventStore();
  const shared: SharedOwners = new Map();
  const rights = roles();
  const started: Documents[] = [];
  const owners = openMemoryDocumentOwners(shared, 'owner-0');
  const begin = (around: Around): Documents => {
    const documents = startOwner(around);
    started.push(documents);
    return documents;
  };
  const all = { store, owners, access: rights.access, snapshots: snapshotsTwin(store), settings };
  return {
    ...all,
    shared,
    roles: rights,
    owner: (own = {}) =>
      begin({ ...all, owners: openMemoryDocumentOwners(shared, `owner-${started.length + 1}`), ...own }),
    rival: (own = {}) => begin({ ...all, owners: openMemoryDocumentOwners(new Map(), 'rival'), ...own }),
    close: async () => {
      await Promise.all(started.map((documents) => documents.close()));
    },
  };
};

export const opened = async (documents: Documents): Promise<OpenDocument> => {
  const open = await documents.open(place);
  assert.ok(isRight(open), JSON.stringify(open));
  return open.right;
};

export const client = (name: string): ClientId => name.padEnd(10, '0') as ClientId;

/** Makes a client's operations, numbered one after the other. */
export const writer = (clientId: ClientId, from = 1) => {
  let next = from;
  const operation = (type: Operation['type'], payload: unknown, more: Partial<Operation> = {}): Operation => {
    const clientSeq = next;
    next += 1;
    const opId = `${clientId}-${clientSeq}` as OperationId;
    const { documentId } = place;
    const said = { opId, documentId, clientSeq, type, payload, actorId: 'nobody', baseVersion: 0, targetIds: [] };
    return { ...said, createdAt: noon, ...more };
  };
  const idOf = (count: number): NodeId => `${clientId}:${count}` as NodeId;
  return {
    clientId,
    idOf,
    next: () => next,
    operation,
    create: (count: number, parentId: NodeId | null = null, more: Partial<Operation> = {}): Operation => {
      const node = { id: idOf(count), type: 'rect', parentId, orderKey: `a${count}`, properties: {} };
      return operation('createNode', { nodes: [node] }, more);
    },
    set: (id: NodeId, name: string, value: unknown, more: Partial<Operation> = {}): Operation =>
      operation('setProperties', { set: { [name]: value } }, { targetIds: [id], ...more }),
    remove: (id: NodeId): Operation => operation('deleteNode', {}, { targetIds: [id] }),
  };
};

export const submit = async (
  document: OpenDocument,
  operations: readonly Operation[],
  principalId = 'ada',
): Promise<Committed> => {
  const clientId = (operations[0]?.opId.slice(0, 10) ?? '') as ClientId;
  const done = await document.submit({ clientId, principalId, schema: 2, operations });
  assert.ok(isRight(done), JSON.stringify(done));
  return done.right;
};

export const statuses = ({ results }: Committed): readonly string[] =>
  results.map(({ status, reason }) => (reason === undefined ? status : `${status}/${reason}`));

export const events = async ({ store }: Pick<Around, 'store'>): Promise<readonly LogEvent[]> => {
  const read = await store.read(stream);
  assert.ok(isRight(read));
  return read.right.map(({ type, data }) => {
    const event = log.decode(type, data);
    assert.ok(!isLeft(event), type);
    return event.right;
  });
};

export const textOf = (scene: Scene): string => [...canonicalScene(scene)].join('\n');
