/** Snapshots as owners need them. */
import type { Row } from '../../../domain/editor/snapshot/layers';
import { nodeText } from '../../../domain/editor/snapshot/piece';
import type { PieceBlobs } from '../../../infra/documents/piece-blobs';
import { openPieceStore } from '../../../infra/documents/piece-store';
import { breathing } from '../owner/breath';
import type { SnapshotStore, ToTake } from '../owner/needs';
import type { Desk } from './desk';
import { loadSnapshot } from './loading';

export interface SnapshotStoreDeps {
  readonly stored: PieceBlobs;
  readonly desk: Pick<Desk, 'ask'>;
  readonly at: SnapshotStore['at'];
}

/** What takes a millisecond. */
const fewNodes = 200;

/** Nodes do not change: the scene goes on meanwhile. */
const rowsOf = async (changed: ToTake['changed']): Promise<readonly Row[]> => {
  const rows: Row[] = [];
  const breathe = breathing();
  for (const [index, node] of changed.entries()) {
    if (index % fewNodes === 0) await breathe();
    rows.push([node.id, nodeText(node)]);
  }
  return rows;
};

export const openSnapshots = ({ stored, desk, at }: SnapshotStoreDeps): SnapshotStore => ({
  load: ({ tenant }, snapshot, into) => loadSnapshot(openPieceStore(stored, tenant), snapshot, into),
  take: async ({ place: { tenant, documentId }, version, previous, changed, removed, clients }) => {
    const before = previous === undefined ? {} : { previous };
    const making = { documentId, version, removed, clients, changed: await rowsOf(changed), ...before };
    return desk.ask(tenant, { kind: 'make', making });
  },
  at,
});
