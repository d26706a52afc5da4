/** Owners of documents over one log in memory, as many as a test wants, and clients that write in them. */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import { type ClientIds, openClientIds } from '../../../commands/editor/document-owner/client-ids';
import type {
  DocumentHandle,
  DocumentRegistry,
  SubmitResult,
} from '../../../commands/editor/document-owner/document-handle';
import { noMetrics } from '../../../commands/editor/document-owner/metrics';
import { openDocumentRegistry } from '../../../commands/editor/document-owner/registry/document-registry';
import { type OwnerSettings, ownerSettings } from '../../../commands/editor/document-owner/settings';
import type { AccessSource, SnapshotStore } from '../../../commands/editor/ports';
import type { ClientId, DocumentId, DocumentKey, NodeId, OperationId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import { logStream, type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import { canonicalScene } from '../../../domain/editor/scene/canonical-scene';
import type { Scene } from '../../../domain/editor/scene/scene';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import { openMemoryEventStore } from '../../../infra/adapters/eventstore/memory-event-store';
import { streamPagesOf } from '../../../infra/adapters/eventstore/read/stream-pages';
import {
  openMemoryDocumentLeases,
  type SharedLeases,
} from '../../../infra/adapters/redis/editor/memory-document-leases';
import type { DocumentLeases } from '../../../infra/ports/editor/document-leases';
import type { EventStore } from '../../../infra/ports/event-store';
import { recordingLog } from '../../support/waiting/recording-log';
import { everyoneEdits, type MemorySnapshots, memorySnapshots } from './memory-dependencies';

export const place: DocumentKey = { tenant: 'acme' as TenantId, documentId: 'doc-1' as DocumentId };
export const stream = logStream(place.tenant, place.documentId);
const noon = '2026-01-31T12:00:00.000Z' as Instant;

const clock = { now: () => noon };
const random = { uuid: randomUUID, token: (bytes: number) => randomBytes(bytes).toString('base64url') };
const clientKey = 'e'.repeat(43);
/** Of all owners: a client keeps its id where the next one has the document. */
export const clientIds = openClientIds({ keys: [clientKey], clock, random });

export interface Around {
  readonly store: Pick<EventStore, 'append' | 'read'>;
  readonly leases: DocumentLeases;
  readonly access: AccessSource;
  readonly snapshots: SnapshotStore;
  readonly settings: Partial<OwnerSettings>;
  /** Of all owners, unless one has its own. */
  readonly clientIds?: ClientIds;
}

export const startOwner = (around: Around, processId: string = randomUUID()): DocumentRegistry =>
  openDocumentRegistry({
    clientIds,
    ...around,
    pages: streamPagesOf(around.store),
    clock,
    random,
    log: recordingLog(),
    metrics: noMetrics,
    settings: { ...ownerSettings, ...around.settings },
    processId,
  });

export interface Stage extends Around {
  readonly store: EventStore;
  readonly shared: SharedLeases;
  readonly snapshots: MemorySnapshots;
  readonly roles: ReturnType<typeof everyoneEdits>;
  /** One more process; what is given replaces what all have. */
  readonly owner: (own?: Partial<Around>) => DocumentRegistry;
  /** A registry that receives no notifications of the others' leases. */
  readonly rival: (own?: Partial<Around>) => DocumentRegistry;
  /** Ends the owners that there are, so that the next one has the document. */
  readonly release: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export const stage = (settings: Partial<OwnerSettings> = {}): Stage => {
  const store = openMemoryEventStore();
  const shared: SharedLeases = new Map();
  const rights = everyoneEdits();
  const started: DocumentRegistry[] = [];
  const leases = openMemoryDocumentLeases(shared, 'owner-0');
  const begin = (around: Around): DocumentRegistry => {
    const documents = startOwner(around);
    started.push(documents);
    return documents;
  };
  const release = async (): Promise<void> => {
    await Promise.all(started.map((documents) => documents.close()));
  };
  const all = { store, leases, access: rights.access, snapshots: memorySnapshots(store), settings };
  return {
    ...all,
    shared,
    roles: rights,
    owner: (own = {}) =>
      begin({ ...all, leases: openMemoryDocumentLeases(shared, `owner-${started.length + 1}`), ...own }),
    rival: (own = {}) => begin({ ...all, leases: openMemoryDocumentLeases(new Map(), 'rival'), ...own }),
    release,
    close: release,
  };
};

export const opened = async (documents: DocumentRegistry): Promise<DocumentHandle> => {
  const open = await documents.open(place);
  assert.ok(isRight(open), JSON.stringify(open));
  return open.right;
};

/** For properties whose clients have names of their own: each is taken for issued to its first principal. */
export const unprovenClientIds: ClientIds = { ...clientIds, issuedOn: () => 1 };

/** Issued to the principal: the same id for the same name. */
export const client = (name: string, principalId = 'ada', documentKey: DocumentKey = place): ClientId => {
  const token = (): string => createHash('sha256').update(name).digest('base64url');
  const named = openClientIds({ keys: [clientKey], clock, random: { ...random, token } });
  return named.issue({ documentKey, principalId });
};

/** Makes a client's operations, numbered one after the other. */
export const writer = (clientId: ClientId, from = 1) => {
  let next = from;
  const operation = (type: Operation['type'], payload: unknown, more: Partial<Operation> = {}): Operation => {
    const clientSeq = next;
    next += 1;
    const opId = `${clientId}-${clientSeq}` as OperationId;
    const { documentId } = place;
    const fields = { opId, documentId, clientSeq, type, payload, actorId: 'nobody', baseVersion: 0, targetIds: [] };
    return { ...fields, createdAt: noon, ...more };
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
  document: DocumentHandle,
  operations: readonly Operation[],
  principalId = 'ada',
): Promise<SubmitResult> => {
  const clientId = (operations[0]?.opId.slice(0, 10) ?? '') as ClientId;
  const done = await document.submit({ clientId, principalId, schema: 2, operations });
  assert.ok(isRight(done), JSON.stringify(done));
  return done.right;
};

export const statuses = ({ results }: SubmitResult): readonly string[] =>
  results.map(({ status, reason }) => (reason === undefined ? status : `${status}/${reason}`));

export const events = async ({ store }: Pick<Around, 'store'>): Promise<readonly OperationLogEvent[]> => {
  const read = await store.read(stream);
  assert.ok(isRight(read));
  return read.right.map(({ type, data }) => {
    const event = operationLog.decode(type, data);
    assert.ok(!isLeft(event), type);
    return event.right;
  });
};

export const textOf = (scene: Scene): string => [...canonicalScene(scene)].join('\n');
