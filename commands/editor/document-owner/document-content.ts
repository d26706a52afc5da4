/** State of a document as its owner has resolved it. It is ahead of the log while an append is in progress. */
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

/** Mutable. After a failed append it must not be used. */
export interface DocumentContent {
  scene: Scene;
  clients: ClientTable;
  /** Version of the last operation in the scene. */
  version: number;
  /** Revision of the last known event in the log. */
  revision: number;
  /** The newest snapshot; the backlog has what came after it. */
  snapshot: Snapshot | undefined;
  /** Nodes changed since the snapshot. */
  changed: Set<NodeId>;
  /** Operations since the snapshot. */
  tail: { operations: number; bytes: number };
  /**
   * The latest operations that were dropped because they changed nothing, with their principals, the oldest first. The
   * log does not contain them.
   */
  noOps: Map<OperationId, string>;
}

const maxNoOps = 4_096;

export const recordNoOps = ({ noOps }: DocumentContent, outcomes: readonly Outcome[], principalId: string): void => {
  for (const { opId, reason } of outcomes) if (reason === 'nothing-changes') noOps.set(opId, principalId);
  for (const oldest of noOps.keys()) {
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
  noOps: new Map(),
});

/** Counts bytes as they are read on load. */
export const recordTail = ({ tail }: DocumentContent, operations: readonly string[]): void => {
  tail.operations += operations.length;
  for (const { length } of operations) tail.bytes += length;
};

/** Applies the operations that the scene lacks. */
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
