/** A log whose batches are of one operation each, which makes a node, by their number. */
import { right } from 'fp-ts/Either';
import type { ClientId, DocumentId, NodeId } from '../../../../domain/editor/ids';
import { operationLog } from '../../../../domain/editor/operation-log/events';
import { apply } from '../../../../domain/editor/reducer/apply';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import type { StoredEvent } from '../../../../infra/ports/event-store';
import type { StreamReader } from '../../../../infra/ports/stream-pages';

export const documentId = 'd-1' as DocumentId;
export const clientId = 'client0000' as ClientId;

export const batch = (version: number) => ({
  type: 'OperationsCommitted' as const,
  data: {
    documentId,
    epoch: 1,
    fromVersion: version,
    toVersion: version,
    clientId,
    lastClientSeq: version,
    operations: [
      {
        opId: `${clientId}-${version}`,
        documentId,
        actorId: 'p-1',
        clientSeq: version,
        baseVersion: 0,
        type: 'createNode' as const,
        targetIds: [`${clientId}:${version}` as NodeId],
        payload: {
          nodes: [
            {
              id: `${clientId}:${version}`,
              type: 'rect',
              parentId: null,
              orderKey: `a${version}`,
              properties: { name: `node ${version}` },
            },
          ],
        },
        createdAt: '2026-01-31T12:00:00.000Z',
      },
    ],
  },
});

/** A log as its pages are read. */
export const pagesOf =
  (events: readonly unknown[]): StreamReader =>
  async ({ stream, from, direction, limit }) => {
    const stored = events.map((event, revision) => {
      const { type, data } = operationLog.encode(event as never);
      return { stream, revision, type, data, id: '', metadata: {}, position: BigInt(revision) } satisfies StoredEvent;
    });
    const start = from ?? (direction === 'forwards' ? 0 : stored.length - 1);
    const there = direction === 'forwards' ? stored.slice(start) : stored.slice(0, start + 1).reverse();
    return right({ events: there.slice(0, limit), cut: false });
  };

/** As it is at the version of that number. */
export const sceneOf = (count: number): Scene => {
  const scene = emptyScene();
  for (let version = 1; version <= count; version += 1)
    for (const operation of batch(version).data.operations) apply(scene, operation as never, version);
  return scene;
};
