/** Makes the next snapshot of the one before it and what changed since: in a thread of its own, as none of it is the owner's to wait for. */
import { isLeft, right } from 'fp-ts/Either';
import type { DocumentId } from '../../../domain/editor/ids';
import type { ClientsRecord } from '../../../domain/editor/log/clients-record';
import { presentSchema } from '../../../domain/editor/schemas';
import { manifestText } from '../../../domain/editor/snapshot/manifest';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { type Changed, type Layers, layersAfter, type Made, withDelta } from './layering';
import { readSnapshot } from './loading';
import type { Pieces } from './pieces';

export interface Making extends Changed {
  readonly documentId: DocumentId;
  readonly version: number;
  readonly previous?: Pick<Snapshot, 'compressedSceneKey' | 'checksum'>;
  readonly clients: ClientsRecord;
  /** Nothing goes on from it: what changed becomes one more delta, however many there are. */
  readonly isLast?: boolean;
}

/** Named in the snapshot itself; the rest stands in the manifest. */
const mostAssets = 1_000;

const layersBefore = async (pieces: Pieces, { previous }: Making): Made<Layers> =>
  previous === undefined ? right({ base: [], deltas: [] }) : readSnapshot(pieces, previous);

const assetsOf = ({ base, deltas }: Layers): string[] => {
  const named = new Set([...base.map(({ piece }) => piece), ...deltas].flatMap(({ assets }) => assets));
  return [...named].slice(0, mostAssets);
};

/** Pieces first, what names them after them: whatever stops this leaves nothing that is half there. */
export const makeSnapshot = async (pieces: Pieces, making: Making): Made<Snapshot> => {
  const before = await layersBefore(pieces, making);
  if (isLeft(before)) return before;
  const { base, deltas } = before.right;
  const [layers, clients] = await Promise.all([
    (making.isLast === true ? withDelta : layersAfter)(pieces, { base, deltas }, making),
    pieces.put(JSON.stringify(making.clients)),
  ]);
  if (isLeft(layers)) return layers;
  if (isLeft(clients)) return clients;
  const { documentId, version } = making;
  const about = { documentId, version, schemaVersion: presentSchema };
  const table = { ...clients.right, nodes: 0, assets: [] };
  const stored = await pieces.put(manifestText({ ...about, ...layers.right, clients: table }));
  if (isLeft(stored)) return stored;
  const { key: compressedSceneKey, checksum } = stored.right;
  return right({ ...about, compressedSceneKey, checksum, assetRefs: assetsOf(layers.right) });
};
