/** Loads the scene of an earlier version and stores it as a snapshot of the current one. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentKey } from '../../../../domain/editor/ids';
import {
  type ClientTable,
  type CommittedBatch,
  encodeClientTable,
} from '../../../../domain/editor/operation-log/client-table';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import { fault } from '../../../../domain/kernel/rejection';
import { snapshotOfRestore } from '../../../../infra/server/documents/snapshots/replay-source';
import type { OwnerDeps } from '../dependencies';
import type { DocumentContent } from '../document-content';
import type { Unavailable } from '../document-handle';

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

export interface RestoredScene {
  readonly snapshot: Snapshot;
  readonly scene: Scene;
}

export const loadRestoredScene = async (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  snapshot: Snapshot,
): Promise<Either<Unavailable, RestoredScene>> => {
  const scene = emptyScene();
  const loaded = await deps.snapshots.load(documentKey, snapshot, scene);
  return isLeft(loaded) ? unavailable('The earlier version cannot be read right now.') : right({ snapshot, scene });
};

/** Stores the earlier scene under the new version with the current client table, which a restore does not reset. */
export const snapshotAsCurrent = async (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  now: { readonly restored: RestoredScene; readonly version: number; readonly clients: ClientTable },
): Promise<Either<Unavailable, Snapshot>> => {
  const { version, restored } = now;
  const clients = encodeClientTable(now.clients);
  const request = { documentKey, version, previous: restored.snapshot, changed: [], removed: [], clients };
  const taken = await deps.snapshots.take(request);
  return isLeft(taken) ? unavailable('A snapshot cannot be stored right now.') : taken;
};

/** Replaces the scene; changes since the last snapshot no longer matter. */
export const replaceScene = (content: DocumentContent, scene: Scene, snapshot: Snapshot): void => {
  Object.assign(content, { scene, snapshot, version: snapshot.version, changed: new Set() });
  content.tail = { operations: 0, bytes: 0 };
};

/** Used on load if the snapshot that was recorded with the restore cannot be read. */
export const replayRestore = async (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  { content, batch }: { readonly content: DocumentContent; readonly batch: CommittedBatch },
): Promise<Either<Unavailable, void>> => {
  const named = snapshotOfRestore(documentKey, batch);
  if (named === undefined) return unavailable('The document cannot be read.');
  const restored = await loadRestoredScene(deps, documentKey, named);
  if (isLeft(restored)) return restored;
  const version = batch.toVersion;
  const taken = await snapshotAsCurrent(deps, documentKey, {
    restored: restored.right,
    version,
    clients: content.clients,
  });
  if (isLeft(taken)) return taken;
  replaceScene(content, restored.right.scene, taken.right);
  return right(undefined);
};
