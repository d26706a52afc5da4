/** Events of the operation log: a document's content, committed batch by batch. */
import * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { ClientId, DocumentId } from '../ids';
import { Operation } from '../operation';
import { Snapshot } from '../snapshot/snapshot';

export const operationLog = aggregate(
  { context: 'editor', name: 'log', id: DocumentId },
  {
    /** First event of every ownership. It fences earlier owners, whose next append expects a lower revision. */
    OwnershipTaken: {
      v: 1,
      data: {
        documentId: DocumentId,
        /** One more than the previous owner's; the specification's `fencingToken`. */
        epoch: integer(1),
        ownerProcessId: text('OwnerProcessId', { maxLength: 64 }),
      },
    },
    /** One client's batch: the operations as they took effect. `toVersion - fromVersion` is their count less one. */
    OperationsCommitted: {
      v: 1,
      data: {
        documentId: DocumentId,
        epoch: integer(1),
        fromVersion: integer(1),
        toVersion: integer(1),
        clientId: ClientId,
        /** The client's operations up to this sequence are settled. */
        lastClientSeq: integer(1),
        operations: t.array(Operation, 'OperationList'),
      },
    },
    /** A snapshot of the scene at a version. */
    SnapshotTaken: {
      v: 1,
      data: { epoch: integer(1), snapshot: Snapshot },
    },
    /** Only as the first event: the content starts with a snapshot of another document. */
    ContentCopied: {
      v: 1,
      data: {
        documentId: DocumentId,
        from: record('CopiedFrom', { documentId: DocumentId, version: integer(0) }),
        snapshot: Snapshot,
      },
    },
  },
);
export type OperationLogEvent = typeof operationLog.Event;

/** Copied content precedes all owners. */
export const epochOf = (event: OperationLogEvent): number => (event.type === 'ContentCopied' ? 0 : event.data.epoch);

export const snapshotOfEvent = (event: OperationLogEvent): Snapshot | undefined =>
  event.type === 'SnapshotTaken' || event.type === 'ContentCopied' ? event.data.snapshot : undefined;

/** Appended by the owner only. */
export const { stream: logStream } = operationLog;
