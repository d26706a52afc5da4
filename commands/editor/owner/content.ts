/** What is in one document, as far as its owner has put things in order: ahead of the log while an append is under way. */
import type { NodeId, OperationId } from '../../../domain/editor/ids';
import { type Clients, noClients } from '../../../domain/editor/log/clients';
import type { Outcome } from '../../../domain/editor/outcome';
import { emptyScene, type Scene } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/record';

/** It changes in place; after an append that did not succeed it is worth nothing. */
export interface Content {
  scene: Scene;
  clients: Clients;
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
  needless: Set<OperationId>;
}

const mostNeedless = 4_096;

export const noteNeedless = ({ needless }: Content, outcomes: readonly Outcome[]): void => {
  for (const { opId, reason } of outcomes) if (reason === 'nothing-changes') needless.add(opId);
  for (const oldest of needless) {
    if (needless.size <= mostNeedless) return;
    needless.delete(oldest);
  }
};

export const emptyContent = (): Content => ({
  scene: emptyScene(),
  clients: noClients(),
  version: 0,
  revision: -1,
  snapshot: undefined,
  changed: new Set(),
  tail: { operations: 0, bytes: 0 },
  needless: new Set(),
});
