/**
 * Decides when changes move from deltas into the base (as in an LSM tree). A change is written to a delta once and to
 * the base once per chunk size, so its cost does not grow with the document.
 */
import type { NodeId } from '../ids';
import type { Chunk, Manifest } from './manifest';

/** JSON of the node; null if it was deleted. */
export type NodeUpdates = ReadonlyMap<NodeId, string | null>;

/** Initial nodes per chunk; a chunk splits at twice this number. */
export const chunkNodes = 1_000;
/** Maximum nodes per delta piece, because a piece is parsed in one step. */
const deltaNodes = 2_000;
/** Maximum characters per piece, which is read and unpacked as a whole. One more node never exceeds memory. */
const pieceCharacters = 16_777_216;
/** In addition to full ones. */
const maxDeltas = 8;
const minChangesToRebase = 4_000;

export type Compaction = 'none' | 'deltas' | 'base';

const countPieceNodes = (pieces: readonly { readonly nodes: number }[]): number =>
  pieces.reduce((sum, { nodes }) => sum + nodes, 0);

/** Chooses what to do with new changes: another delta, one merged delta, or a merge into the base. */
export const chooseCompaction = ({ base, deltas }: Pick<Manifest, 'base' | 'deltas'>, incoming: number): Compaction => {
  const inBase = countPieceNodes(base.map(({ piece }) => piece));
  const inDeltas = countPieceNodes(deltas);
  if (inDeltas + incoming > Math.max(minChangesToRebase, inBase / 4)) return 'base';
  return deltas.length - Math.floor(inDeltas / deltaNodes) >= maxDeltas ? 'deltas' : 'none';
};

type NodeUpdate = readonly [id: NodeId, text: string | null];

const splitIntoParts = <Item extends NodeUpdate>(
  items: readonly Item[],
  mostNodes: number,
): readonly (readonly Item[])[] => {
  const parts: Item[][] = [];
  let characters = 0;
  for (const item of items) {
    const length = item[1]?.length ?? 0;
    const part = parts.at(-1);
    const fits = part !== undefined && part.length < mostNodes && characters + length <= pieceCharacters;
    characters = fits ? characters + length : length;
    if (fits) part.push(item);
    else parts.push([item]);
  }
  return parts;
};

/** Splits changes into pieces. */
export const splitDelta = (changes: readonly NodeUpdate[]): readonly (readonly NodeUpdate[])[] =>
  splitIntoParts(changes, deltaNodes);

/** Index of the chunk for an id; 0 if there are no chunks. */
export const chunkIndexOf = (base: readonly Chunk[], id: NodeId): number => {
  let [low, high] = [0, base.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((base[middle] as Chunk).first <= id) low = middle;
    else high = middle;
  }
  return low;
};

/** By chunk index; chunks without an entry are unchanged. */
export const updatesByChunk = (base: readonly Chunk[], changes: NodeUpdates): ReadonlyMap<number, NodeUpdates> => {
  const byChunk = new Map<number, Map<NodeId, string | null>>();
  for (const [id, change] of changes) {
    const index = chunkIndexOf(base, id);
    const its = byChunk.get(index) ?? new Map<NodeId, string | null>();
    byChunk.set(index, its.set(id, change));
  }
  return byChunk;
};

export type SerializedNode = readonly [id: NodeId, text: string];

const byId = (one: SerializedNode, other: SerializedNode): number => (one[0] < other[0] ? -1 : 1);

/** The chunk's nodes after its updates, split into chunks; empty if nothing is left. */
export const rewriteChunk = (
  rows: readonly SerializedNode[],
  changes: NodeUpdates,
): readonly (readonly SerializedNode[])[] => {
  const unchanged = rows.filter(([id]) => !changes.has(id));
  const put = [...changes].filter((entry): entry is [NodeId, string] => entry[1] !== null);
  const all = [...unchanged, ...put].toSorted(byId);
  const parts = all.length < 2 * chunkNodes ? 1 : Math.ceil(all.length / chunkNodes);
  return splitIntoParts(all, Math.ceil(all.length / parts));
};
