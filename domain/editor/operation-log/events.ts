/** The content of a document, batch by batch, as its owner committed it. */
import * as t from 'io-ts';
import { integer, record, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { ClientId, DocumentId } from '../ids';
import { Operation } from '../operation';
import { Snapshot } from '../snapshot/snapshot';

export const operationLog = family('editor', {
  /** First event of every owner: whoever appends at an earlier revision afterwards is not the owner any more. */
  OwnershipTaken: {
    v: 1,
    data: {
      documentId: DocumentId,
      /** One more than that of the owner before; the specification's `fencingToken`. */
      epoch: integer(1),
      ownerProcessId: text('OwnerProcessId', { maxLength: 64 }),
    },
  },
  /** One client's batch: the operations that took effect, as they did. `toVersion - fromVersion` is one less than their count. */
  OperationsCommitted: {
    v: 1,
    data: {
      documentId: DocumentId,
      epoch: integer(1),
      fromVersion: integer(1),
      toVersion: integer(1),
      clientId: ClientId,
      /** Everything of this client up to here is settled. */
      lastClientSeq: integer(1),
      operations: t.array(Operation, 'OperationList'),
    },
  },
  /** The scene can be had as it was at that version without what came before. */
  SnapshotTaken: {
    v: 1,
    data: { epoch: integer(1), snapshot: Snapshot },
  },
  /** Only as first event: the content is that of a snapshot of another document. */
  ContentCopied: {
    v: 1,
    data: {
      documentId: DocumentId,
      from: record('CopiedFrom', { documentId: DocumentId, version: integer(0) }),
      snapshot: Snapshot,
    },
  },
});
export type OperationLogEvent = typeof operationLog.Event;

/** What was copied is there before anybody owns it. */
export const epochOf = (event: OperationLogEvent): number => (event.type === 'ContentCopied' ? 0 : event.data.epoch);

export const snapshotOfEvent = (event: OperationLogEvent): Snapshot | undefined =>
  event.type === 'SnapshotTaken' || event.type === 'ContentCopied' ? event.data.snapshot : undefined;
