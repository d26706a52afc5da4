/** The snapshot of a document that has none yet: version 0, in which there is nothing. It is made anew for whoever asks and stored nowhere. */
import { isLeft, right } from 'fp-ts/Either';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import type { Place } from '../owner/needs';
import { makeSnapshot } from './making';
import { openPieces } from './pieces';
import type { ShownPiece } from './shown';

export interface EmptySnapshot {
  readonly snapshot: Snapshot;
  readonly pieces: readonly ShownPiece[];
}

export const emptySnapshot = async ({ tenant, documentId }: Place): Promise<EmptySnapshot> => {
  const bytesOf = new Map<string, Uint8Array>();
  const pieces = openPieces(
    {
      put: async ({ key, bytes }) => {
        bytesOf.set(key, bytes);
        return right(undefined);
      },
      get: async (key) => right(bytesOf.get(key) ?? new Uint8Array()),
    },
    tenant,
  );
  const nothing = { version: 0, changed: [], removed: [], clients: { clients: [], recent: [] } };
  const made = await makeSnapshot(pieces, { documentId, ...nothing });
  if (isLeft(made)) throw new Error(made.left.detail);
  const key = made.right.compressedSceneKey;
  return { snapshot: made.right, pieces: [{ key, base64: Buffer.from(bytesOf.get(key) ?? []).toString('base64') }] };
};
