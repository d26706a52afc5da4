/** An earlier version's scene in place of the present one, and the snapshot that makes this a version of its own. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { payloadCodecs } from '../../../../domain/editor/operation';
import {
  type ClientTable,
  type CommittedBatch,
  encodeClientTable,
} from '../../../../domain/editor/operation-log/client-table';
import { emptyScene, type Scene } from '../../../../domain/editor/scene/scene';
import { currentSchemaVersion } from '../../../../domain/editor/schema-versions';
import type { Snapshot } from '../../../../domain/editor/snapshot/snapshot';
import type { DocumentKey } from '../../../../domain/editor/streams';
import { fault } from '../../../../domain/kernel/rejection';
import type { OwnerDeps } from '../dependencies';
import type { DocumentContent } from '../document-content';
import type { Unavailable } from '../document-handle';

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

/** A scene that was, ready to be put in place. */
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

/** The earlier scene under a new version, with the clients of now: they did not go back in time. */
export const snapshotAsCurrent = async (
  deps: OwnerDeps,
  documentKey: DocumentKey,
  now: { readonly earlier: RestoredScene; readonly version: number; readonly clients: ClientTable },
): Promise<Either<Unavailable, Snapshot>> => {
  const { version, earlier: restored } = now;
  const clients = encodeClientTable(now.clients);
  const request = { documentKey, version, previous: restored.snapshot, changed: [], removed: [], clients };
  const taken = await deps.snapshots.take(request);
  return isLeft(taken) ? unavailable('A snapshot cannot be kept right now.') : taken;
};

/** The scene jumps: nothing of before is needed any more, nor of use. */
export const replaceScene = (content: DocumentContent, scene: Scene, snapshot: Snapshot): void => {
  Object.assign(content, { scene, snapshot, version: snapshot.version, changed: new Set() });
  content.tail = { operations: 0, bytes: 0 };
};

export const snapshotOfRestore = (documentKey: DocumentKey, { operations }: CommittedBatch): Snapshot | undefined => {
  const payload = operations.length === 1 ? operations[0]?.payload : undefined;
  if (!payloadCodecs.restoreVersion.is(payload) || payload.snapshot === undefined) return undefined;
  const { manifestKey: compressedSceneKey, checksum } = payload.snapshot;
  const { version } = payload;
  const { documentId } = documentKey;
  return { documentId, version, schemaVersion: currentSchemaVersion, compressedSceneKey, checksum, assetRefs: [] };
};

/** Only where the snapshot that was recorded with it cannot be read any more. */
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
    earlier: restored.right,
    version,
    clients: content.clients,
  });
  if (isLeft(taken)) return taken;
  replaceScene(content, restored.right.scene, taken.right);
  return right(undefined);
};
