/** The `SnapshotStore` of document owners. */
import type { SerializedNode } from '../../../domain/editor/snapshot/compaction';
import { serializeNode } from '../../../domain/editor/snapshot/piece';
import type { PieceBlobs } from '../../../infra/server/documents/piece-blobs';
import { openPieceStore } from '../../../infra/server/documents/piece-store';
import { loadSnapshot } from '../../../infra/server/documents/snapshots/snapshot-reader';
import type { SnapshotWorker } from '../../../infra/server/documents/snapshots/snapshot-worker';
import { createYield } from '../../../infra/server/documents/time-slicing';
import type { SnapshotRequest, SnapshotStore } from '../ports';

export interface SnapshotStoreDeps {
  readonly stored: PieceBlobs;
  readonly worker: Pick<SnapshotWorker, 'run'>;
  readonly at: SnapshotStore['atVersion'];
}

/** About a millisecond of work. */
const fewNodes = 200;

/** Nodes are immutable, so the scene may change meanwhile. */
const rowsOf = async (changed: SnapshotRequest['changed']): Promise<readonly SerializedNode[]> => {
  const rows: SerializedNode[] = [];
  const yieldIfDue = createYield();
  for (const [index, node] of changed.entries()) {
    if (index % fewNodes === 0) await yieldIfDue();
    rows.push([node.id, serializeNode(node)]);
  }
  return rows;
};

export const openSnapshots = ({ stored, worker, at }: SnapshotStoreDeps): SnapshotStore => ({
  load: ({ tenant }, snapshot, into) => loadSnapshot(openPieceStore(stored, tenant), snapshot, into),
  take: async ({ documentKey: { tenant, documentId }, version, previous, changed, removed, clients }) => {
    const before = previous === undefined ? {} : { previous };
    const input = { documentId, version, removed, clients, changed: await rowsOf(changed), ...before };
    return worker.run(tenant, { kind: 'make', input });
  },
  atVersion: at,
});
