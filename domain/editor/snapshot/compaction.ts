/**
 * When changes leave the deltas for the base, and where there they belong. A change is written to a delta once and to the base once for
 * every so many nodes of it, so what a change costs does not grow with the document.
 */
import type { NodeId } from '../ids';
import type { Chunk, Manifest } from './manifest';

/** Null: it is gone. Otherwise its JSON. */
export type NodeUpdates = ReadonlyMap<NodeId, string | null>;

/** Nodes of a chunk when it is made; it is divided when it has grown to twice that. */
export const chunkNodes = 1_000;
/** Nodes of a delta's piece, at most: whoever reads one does nothing else meanwhile. */
const deltaNodes = 2_000;
/** Characters of what a piece tells, however few nodes that are: it is read and unpacked whole, and one node more is never too much. */
const pieceCharacters = 16_777_216;
/** Besides those that are full. */
const maxDeltas = 8;
const minChangesToRebase = 4_000;

export type Compaction = 'none' | 'deltas' | 'base';

const countPieceNodes = (pieces: readonly { readonly nodes: number }[]): number =>
  pieces.reduce((sum, { nodes }) => sum + nodes, 0);

/** What is to be done with a manifest when so many changes come: a delta more, one delta of all, or all of them into the base. */
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

/** What changed, in the parts that pieces are made of. */
export const splitDelta = (changes: readonly NodeUpdate[]): readonly (readonly NodeUpdate[])[] =>
  splitIntoParts(changes, deltaNodes);

/** The chunk that an id belongs to; 0 also where there are none. */
export const chunkIndexOf = (base: readonly Chunk[], id: NodeId): number => {
  let [low, high] = [0, base.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((base[middle] as Chunk).first <= id) low = middle;
    else high = middle;
  }
  return low;
};

/** By the index of the chunk; chunks without an entry stay as they are. */
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

const byId = ([one]: SerializedNode, [other]: SerializedNode): number => (one < other ? -1 : 1);

/** The rows of a chunk after its changes, in the chunks they make: none when nothing is left. */
export const rewriteChunk = (
  rows: readonly SerializedNode[],
  changes: NodeUpdates,
): readonly (readonly SerializedNode[])[] => {
  const kept = rows.filter(([id]) => !changes.has(id));
  const put = [...changes].filter((entry): entry is [NodeId, string] => entry[1] !== null);
  const all = [...kept, ...put].toSorted(byId);
  const parts = all.length < 2 * chunkNodes ? 1 : Math.ceil(all.length / chunkNodes);
  return splitIntoParts(all, Math.ceil(all.length / parts));
};
