/** What owners need of others, in memory: everybody edits, snapshots are maps of nodes. */
import { createHash } from 'node:crypto';
import { isLeft, left, right } from 'fp-ts/Either';
import type { AccessSource, SnapshotRequest, SnapshotStore } from '../../../commands/editor/ports';
import type { DocumentKey, NodeId } from '../../../domain/editor/ids';
import {
  type ClientTableRecord,
  ClientTableRecord as Table,
} from '../../../domain/editor/operation-log/client-table-codec';
import { logStream, operationLog } from '../../../domain/editor/operation-log/events';
import { apply } from '../../../domain/editor/reducer/apply';
import type { Role } from '../../../domain/editor/roles';
import { emptyScene, iterateNodes, type Scene, type SceneNode, setNode } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { fault, reject } from '../../../domain/kernel/rejection';
import type { EventStore } from '../../../infra/ports/event-store';
import type { DocumentAccess } from '../../../infra/server/documents/document-access';

export const everyoneEdits = () => {
  const known = new Map<string, Role | undefined>();
  const listeners = new Set<(standing: DocumentAccess) => void>();
  const standing = { state: 'active' as DocumentAccess['state'], revision: 0 };
  const now = (): DocumentAccess => {
    const then = new Map(known);
    return {
      state: standing.state,
      title: 'Untitled',
      revision: standing.revision,
      position: 0n,
      roleOf: (principal) => (then.has(principal) ? then.get(principal) : 'editor'),
    };
  };
  const access: AccessSource = {
    read: async () => right(now()),
    watch: (_, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return {
    access,
    set: (principal: string, role: Role | undefined) => {
      known.set(principal, role);
      standing.revision += 1;
    },
    become: (state: DocumentAccess['state']) => {
      Object.assign(standing, { state, revision: standing.revision + 1 });
      for (const listener of listeners) listener(now());
    },
  };
};

interface StoredScene {
  readonly nodes: ReadonlyMap<NodeId, SceneNode>;
  readonly clients: ClientTableRecord;
}

/** Replays everything from the first event, without a snapshot. */
const replayed = async (store: Pick<EventStore, 'read'>, documentKey: DocumentKey, [version, load]: [number, Load]) => {
  let scene = emptyScene();
  let reached = 0;
  const events = await store.read(logStream(documentKey.tenant, documentKey.documentId));
  for (const { type, data } of isLeft(events) ? [] : events.right) {
    const event = operationLog.decode(type, data);
    if (isLeft(event) || event.right.type !== 'OperationsCommitted') continue;
    for (const operation of event.right.data.operations) {
      if (reached >= version) return { scene, reached };
      reached += 1;
      if (operation.type === 'restoreVersion') scene = load(operation.payload);
      else apply(scene, operation, reached);
    }
  }
  return { scene, reached };
};

type Load = (payload: unknown) => Scene;

export interface MemorySnapshots extends SnapshotStore {
  readonly taken: Snapshot[];
  /** What becomes of the next ones. */
  readonly mood: { take: 'works' | 'fails'; load: 'works' | 'unavailable' | 'damaged' };
  readonly damaged: Set<string>;
}

export const memorySnapshots = (store: Pick<EventStore, 'read'>): MemorySnapshots => {
  const stored = new Map<string, StoredScene>();
  const taken: Snapshot[] = [];
  const damaged = new Set<string>();
  const mood: MemorySnapshots['mood'] = { take: 'works', load: 'works' };
  const put = (
    { documentKey, version }: Pick<SnapshotRequest, 'documentKey' | 'version'>,
    made: StoredScene,
  ): Snapshot => {
    const key = `${version}-${taken.length}`;
    stored.set(key, made);
    const checksum = createHash('sha256').update(key).digest('hex');
    const { documentId } = documentKey;
    return { documentId, version, schemaVersion: 1, compressedSceneKey: key, checksum, assetRefs: [] };
  };
  const sceneOf = (payload: unknown): Scene => {
    const { snapshot } = payload as { snapshot: { manifestKey: string } };
    const scene = emptyScene();
    for (const node of stored.get(snapshot.manifestKey)?.nodes.values() ?? []) setNode(scene, node.id, node);
    return scene;
  };
  return {
    taken,
    mood,
    damaged,
    load: async (_, { compressedSceneKey }, into) => {
      if (mood.load === 'unavailable') return left(fault('snapshots-unavailable', 'Away.'));
      const found = damaged.has(compressedSceneKey) ? undefined : stored.get(compressedSceneKey);
      if (found === undefined || mood.load === 'damaged') return left(fault('snapshot-damaged', 'Damaged.'));
      for (const node of found.nodes.values()) setNode(into, node.id, node);
      return right(structuredClone(found.clients));
    },
    take: async (request) => {
      const nodes = new Map(
        request.previous === undefined ? [] : stored.get(request.previous.compressedSceneKey)?.nodes,
      );
      await new Promise((resolve) => setImmediate(resolve));
      if (mood.take === 'fails') return left(fault('snapshots-unavailable', 'Away.'));
      if (!Table.is(request.clients)) throw new Error('a table of clients that cannot be kept');
      for (const node of request.changed) nodes.set(node.id, node);
      for (const id of request.removed) nodes.delete(id);
      const snapshot = put(request, { nodes, clients: structuredClone(request.clients) });
      taken.push(snapshot);
      return right(snapshot);
    },
    atVersion: async (documentKey, version) => {
      const { scene, reached } = await replayed(store, documentKey, [version, sceneOf]);
      if (reached < version) return reject('version-unknown', 'There is no such version.');
      const nodes = new Map(Array.from(iterateNodes(scene), (node) => [node.id, node]));
      return right(put({ documentKey, version }, { nodes, clients: { clients: [], recent: [] } }));
    },
  };
};
