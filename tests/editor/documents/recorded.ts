/** Histories of documents as recorded events. */
import { randomUUID } from 'node:crypto';
import { type DocumentEvent, documents } from '../../../domain/editor/document/events';
import type { Operation } from '../../../domain/editor/operation';
import { type OperationLogEvent, operationLog } from '../../../domain/editor/operation-log/events';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { documentId, noon } from './examples';
import { metadataOf } from './routes/fixture';

const isContent = ({ type }: DocumentEvent | OperationLogEvent): boolean =>
  operationLog.storedTypes.includes(`editor.${type}.v1`);

interface RecordedEvent {
  readonly event: DocumentEvent | OperationLogEvent;
  readonly actor?: string;
  readonly at?: string;
}

export const recordedEvent = (event: RecordedEvent['event'], actor = 'ada', at: string = noon): RecordedEvent => ({
  event,
  actor,
  at,
});

/** In the order given; each of both streams of its document is numbered by itself. */
export const historyOf = (events: readonly RecordedEvent[], tenant = 'acme'): readonly StoredEvent[] => {
  const revisions = new Map<string, number>();
  return events.map(({ event, actor, at }, index) => {
    const stream = `editor.${isContent(event) ? 'log' : 'document'}-${tenant}.${documentId}`;
    const revision = revisions.get(stream) ?? 0;
    revisions.set(stream, revision + 1);
    const encoded = isContent(event)
      ? operationLog.encode(event as OperationLogEvent)
      : documents.encode(event as DocumentEvent);
    const place = { stream, revision, position: BigInt(index + 1) * 100n };
    return { id: randomUUID(), ...place, ...encoded, metadata: metadataOf(tenant, actor, at) };
  });
};

const clientId = 'k3Jx09aPqZ';
export const nodeId = (counter: number): string => `${clientId}:${counter}`;

interface OperationFields {
  readonly type?: Operation['type'];
  readonly targets?: readonly number[];
  readonly payload?: unknown;
  readonly actor?: string;
}

/** One event of a client, whose operations have the versions from `fromVersion` on. */
export const operationsCommitted = (
  fromVersion: number,
  operations: readonly OperationFields[],
  of: string = documentId,
): OperationLogEvent => ({
  type: 'OperationsCommitted',
  data: {
    documentId: of as typeof documentId,
    epoch: 1,
    fromVersion,
    toVersion: fromVersion + operations.length - 1,
    clientId: clientId as never,
    lastClientSeq: fromVersion + operations.length - 1,
    operations: operations.map(({ type = 'setProperties', targets = [1], payload = {}, actor = 'ada' }, index) => ({
      opId: `${clientId}-${fromVersion + index}` as never,
      documentId: of as typeof documentId,
      actorId: actor,
      clientSeq: fromVersion + index,
      baseVersion: 0,
      type,
      targetIds: targets.map(nodeId) as never,
      payload,
      createdAt: noon,
    })),
  },
});

export const snapshotTaken = (
  version: number,
  of: string = documentId,
): Extract<OperationLogEvent, { type: 'SnapshotTaken' }> => ({
  type: 'SnapshotTaken',
  data: {
    epoch: 1,
    snapshot: {
      documentId: of as typeof documentId,
      version,
      schemaVersion: 2,
      compressedSceneKey: `editor/acme/${'a'.repeat(64)}.json.gz`,
      checksum: 'a'.repeat(64),
      assetRefs: [],
    },
  },
});
