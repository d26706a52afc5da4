/** An earlier version's scene in place of the present one, and the snapshot that makes this a version of its own. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Clients, type Committed, recordOf } from '../../../domain/editor/log/clients';
import { payloads } from '../../../domain/editor/operation';
import { emptyScene, type Scene } from '../../../domain/editor/scene/scene';
import { presentSchema } from '../../../domain/editor/schemas';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { DocumentKey } from '../../../domain/editor/streams';
import { fault } from '../../../domain/kernel/rejection';
import type { Content } from './content';
import type { OwnerDeps } from './deps';
import type { Unavailable } from './types';

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

/** A scene that was, ready to be put in place. */
export interface Earlier {
  readonly snapshot: Snapshot;
  readonly scene: Scene;
}

export const loadEarlier = async (
  deps: OwnerDeps,
  place: DocumentKey,
  snapshot: Snapshot,
): Promise<Either<Unavailable, Earlier>> => {
  const scene = emptyScene();
  const loaded = await deps.snapshots.load(place, snapshot, scene);
  return isLeft(loaded) ? unavailable('The earlier version cannot be read right now.') : right({ snapshot, scene });
};

/** The earlier scene under a new version, with the clients of now: they did not go back in time. */
export const takeAgain = async (
  deps: OwnerDeps,
  place: DocumentKey,
  now: { readonly earlier: Earlier; readonly version: number; readonly clients: Clients },
): Promise<Either<Unavailable, Snapshot>> => {
  const { version, earlier } = now;
  const clients = recordOf(now.clients);
  const asked = { place, version, previous: earlier.snapshot, changed: [], removed: [], clients };
  const taken = await deps.snapshots.take(asked);
  return isLeft(taken) ? unavailable('A snapshot cannot be kept right now.') : taken;
};

/** The scene jumps: nothing of before is needed any more, nor of use. */
export const putInPlace = (content: Content, scene: Scene, snapshot: Snapshot): void => {
  Object.assign(content, { scene, snapshot, version: snapshot.version, changed: new Set() });
  content.tail = { operations: 0, bytes: 0 };
};

export const snapshotNamedBy = (place: DocumentKey, { operations }: Committed): Snapshot | undefined => {
  const payload = operations.length === 1 ? operations[0]?.payload : undefined;
  if (!payloads.restoreVersion.is(payload) || payload.snapshot === undefined) return undefined;
  const { manifestKey: compressedSceneKey, checksum } = payload.snapshot;
  const { version } = payload;
  const { documentId } = place;
  return { documentId, version, schemaVersion: presentSchema, compressedSceneKey, checksum, assetRefs: [] };
};

/** Only where the snapshot that was recorded with it cannot be read any more. */
export const putBack = async (
  deps: OwnerDeps,
  place: DocumentKey,
  { content, batch }: { readonly content: Content; readonly batch: Committed },
): Promise<Either<Unavailable, void>> => {
  const named = snapshotNamedBy(place, batch);
  if (named === undefined) return unavailable('The document cannot be read.');
  const earlier = await loadEarlier(deps, place, named);
  if (isLeft(earlier)) return earlier;
  const version = batch.toVersion;
  const taken = await takeAgain(deps, place, { earlier: earlier.right, version, clients: content.clients });
  if (isLeft(taken)) return taken;
  putInPlace(content, earlier.right.scene, taken.right);
  return right(undefined);
};
