/** What is in one document, as far as its owner has put things in order: ahead of the log while an append is under way. */
import type { NodeId, OperationId } from '../../../domain/editor/ids';
import {
  type ClientTable,
  type CommittedBatch,
  emptyClientTable,
} from '../../../domain/editor/operation-log/client-table';
import type { Outcome } from '../../../domain/editor/outcome';
import { apply } from '../../../domain/editor/reducer/apply';
import { emptyScene, type Scene } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import type { OperationFrame } from './document-handle';

/** It changes in place; after an append that did not succeed it is worth nothing. */
export interface DocumentContent {
  scene: Scene;
  clients: ClientTable;
  /** Of the last operation in the scene. */
  version: number;
  /** Of the log's last event that is known. */
  revision: number;
  /** The newest; what came after it is in the ring. */
  snapshot: Snapshot | undefined;
  /** Nodes that are not as in the snapshot. */
  changed: Set<NodeId>;
  /** Since the snapshot. */
  tail: { operations: number; bytes: number };
  /** The latest operations that were dropped as they would have changed nothing; no log has them. The oldest first. */
  noOps: Set<OperationId>;
}

const maxNoOps = 4_096;

export const recordNoOps = ({ noOps }: DocumentContent, outcomes: readonly Outcome[]): void => {
  for (const { opId, reason } of outcomes) if (reason === 'nothing-changes') noOps.add(opId);
  for (const oldest of noOps) {
    if (noOps.size <= maxNoOps) return;
    noOps.delete(oldest);
  }
};

export const emptyContent = (): DocumentContent => ({
  scene: emptyScene(),
  clients: emptyClientTable(),
  version: 0,
  revision: -1,
  snapshot: undefined,
  changed: new Set(),
  tail: { operations: 0, bytes: 0 },
  noOps: new Set(),
});

/** Committed operations, done once more. */

/** What is told of operations costs the tail what it will cost to read it. */
export const recordTail = ({ tail }: DocumentContent, operations: readonly string[]): void => {
  tail.operations += operations.length;
  for (const { length } of operations) tail.bytes += length;
};

/** Those that the scene does not have yet. */
export const replayBatch = (
  content: DocumentContent,
  { fromVersion, toVersion, operations }: CommittedBatch,
): OperationFrame => {
  const firstVersion = Math.max(fromVersion, content.version + 1);
  const fresh = operations.slice(firstVersion - fromVersion);
  for (const [index, operation] of fresh.entries())
    for (const { id } of apply(content.scene, operation, firstVersion + index)) content.changed.add(id);
  const serialized = fresh.map((operation) => JSON.stringify(operation));
  content.version = toVersion;
  recordTail(content, serialized);
  return { kind: 'operations', fromVersion: firstVersion, toVersion, operations: serialized };
};
