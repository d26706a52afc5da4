/** Makes the next snapshot of the one before it and what changed since: in a thread of its own, as none of it is the owner's to wait for. */
import { createHash } from 'node:crypto';
import { isLeft, right } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import { type IdRun, runText } from '../../../domain/editor/log/chosen-ids';
import type { StoredClients } from '../../../domain/editor/log/clients-record';
import { presentSchema } from '../../../domain/editor/schemas';
import { type IdRunRef, type Manifest, manifestText } from '../../../domain/editor/snapshot/manifest';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { loadManifest, type PieceStore } from '../../../infra/documents/piece-store';
import { type Changed, type Layers, layersAfter, type Made, withDelta } from './layering';

export interface Making extends Changed {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly previous?: Pick<Snapshot, 'compressedSceneKey' | 'checksum'>;
  readonly clients: StoredClients;
  /** Nothing goes on from it: what changed becomes one more delta, however many there are. */
  readonly isLast?: boolean;
}

/** Named in the snapshot itself; the rest stands in the manifest. */
const mostAssets = 1_000;

type Before = Layers & Pick<Manifest, 'idRuns'>;

const layersBefore = async (pieces: PieceStore, { previous }: Making): Made<Before> =>
  previous === undefined ? right({ base: [], deltas: [] }) : loadManifest(pieces, previous);

const assetsOf = ({ base, deltas }: Layers): string[] => {
  const named = new Set([...base.map(({ piece }) => piece), ...deltas].flatMap(({ assets }) => assets));
  return [...named].slice(0, mostAssets);
};

/** What the snapshot before has is not stored again. */
const putRuns = async (pieces: PieceStore, runs: readonly IdRun[], before: readonly IdRunRef[]): Made<IdRunRef[]> => {
  const known = new Map(before.map((ref) => [ref.digest, ref]));
  const refs: IdRunRef[] = [];
  for (const run of runs) {
    const text = runText(run);
    const digest = createHash('sha256').update(text).digest('hex');
    const ref = known.get(digest);
    const stored = ref === undefined ? await pieces.put(text) : right(ref.piece);
    if (isLeft(stored)) return stored;
    refs.push({ digest, piece: { nodes: 0, assets: [], ...stored.right } });
  }
  return right(refs);
};

/** PieceStore first, what names them after them: whatever stops this leaves nothing that is half there. */
export const makeSnapshot = async (pieces: PieceStore, making: Making): Made<Snapshot> => {
  const before = await layersBefore(pieces, making);
  if (isLeft(before)) return before;
  const { base, deltas, idRuns: runsBefore = [] } = before.right;
  const { idRuns = [], ...clientsRecord } = making.clients;
  const [layers, clients, runs] = await Promise.all([
    (making.isLast === true ? withDelta : layersAfter)(pieces, { base, deltas }, making),
    pieces.put(JSON.stringify(clientsRecord)),
    putRuns(pieces, idRuns, runsBefore),
  ]);
  if (isLeft(layers)) return layers;
  if (isLeft(clients)) return clients;
  if (isLeft(runs)) return runs;
  const { documentId, version } = making;
  const about = { documentId, version, schemaVersion: presentSchema };
  const table = { ...clients.right, nodes: 0, assets: [] };
  const manifest = { ...about, ...layers.right, clients: table, idRuns: runs.right };
  const stored = await pieces.put(manifestText(manifest));
  if (isLeft(stored)) return stored;
  const { key: compressedSceneKey, checksum } = stored.right;
  return right({ ...about, compressedSceneKey, checksum, assetRefs: assetsOf(layers.right) });
};
