/** What owners need of others, in memory: everybody edits, snapshots are maps of nodes. */
import { createHash } from 'node:crypto';
import { isLeft, left, right } from 'fp-ts/Either';
import type { Access, SnapshotStore, ToTake } from '../../../commands/editor/owner/needs';
import type { NodeId } from '../../../domain/editor/ids';
import { type ClientsRecord, ClientsRecord as Table } from '../../../domain/editor/log/clients-record';
import { log } from '../../../domain/editor/log/events';
import type { Role } from '../../../domain/editor/roles';
import { apply } from '../../../domain/editor/scene/apply';
import { emptyScene, nodesOf, type Scene, type SceneNode, write } from '../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import { fault, reject } from '../../../domain/kernel/rejection';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import type { EventStore } from '../../../infra/ports/event-store';

export const roles = () => {
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
  const access: Access = {
    about: async () => right(now()),
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

interface Kept {
  readonly nodes: ReadonlyMap<NodeId, SceneNode>;
  readonly clients: ClientsRecord;
}

/** Everything from the first event, as nobody would do it. */
const replayed = async (store: Pick<EventStore, 'read'>, place: DocumentKey, [version, load]: [number, Load]) => {
  let scene = emptyScene();
  let reached = 0;
  const events = await store.read(logStream(place.tenant, place.documentId));
  for (const { type, data } of isLeft(events) ? [] : events.right) {
    const event = log.decode(type, data);
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

export interface SnapshotsTwin extends SnapshotStore {
  readonly taken: Snapshot[];
  /** What becomes of the next ones. */
  readonly mood: { take: 'works' | 'fails'; load: 'works' | 'unavailable' | 'damaged' };
  readonly damaged: Set<string>;
}

export const snapshotsTwin = (store: Pick<EventStore, 'read'>): SnapshotsTwin => {
  const kept = new Map<string, Kept>();
  const taken: Snapshot[] = [];
  const damaged = new Set<string>();
  const mood: SnapshotsTwin['mood'] = { take: 'works', load: 'works' };
  const put = ({ place, version }: Pick<ToTake, 'place' | 'version'>, made: Kept): Snapshot => {
    const key = `${version}-${taken.length}`;
    kept.set(key, made);
    const checksum = createHash('sha256').update(key).digest('hex');
    const { documentId } = place;
    return { documentId, version, schemaVersion: 1, compressedSceneKey: key, checksum, assetRefs: [] };
  };
  const sceneOf = (payload: unknown): Scene => {
    const { snapshot } = payload as { snapshot: { manifestKey: string } };
    const scene = emptyScene();
    for (const node of kept.get(snapshot.manifestKey)?.nodes.values() ?? []) write(scene, node.id, node);
    return scene;
  };
  return {
    taken,
    mood,
    damaged,
    load: async (_, { compressedSceneKey }, into) => {
      if (mood.load === 'unavailable') return left(fault('snapshots-unavailable', 'Away.'));
      const found = damaged.has(compressedSceneKey) ? undefined : kept.get(compressedSceneKey);
      if (found === undefined || mood.load === 'damaged') return left(fault('snapshot-damaged', 'Damaged.'));
      for (const node of found.nodes.values()) write(into, node.id, node);
      return right(structuredClone(found.clients));
    },
    take: async (asked) => {
      const nodes = new Map(asked.previous === undefined ? [] : kept.get(asked.previous.compressedSceneKey)?.nodes);
      await new Promise((resolve) => setImmediate(resolve));
      if (mood.take === 'fails') return left(fault('snapshots-unavailable', 'Away.'));
      if (!Table.is(asked.clients)) throw new Error('a table of clients that cannot be kept');
      for (const node of asked.changed) nodes.set(node.id, node);
      for (const id of asked.removed) nodes.delete(id);
      const snapshot = put(asked, { nodes, clients: structuredClone(asked.clients) });
      taken.push(snapshot);
      return right(snapshot);
    },
    at: async (place, version) => {
      const { scene, reached } = await replayed(store, place, [version, sceneOf]);
      if (reached < version) return reject('version-unknown', 'There is no such version.');
      const nodes = new Map(Array.from(nodesOf(scene), (node) => [node.id, node]));
      return right(put({ place, version }, { nodes, clients: { clients: [], recent: [] } }));
    },
  };
};
