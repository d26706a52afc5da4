/** Reads the nodes of a snapshot, as docs/editor.md describes its pieces, for display only. */
import type { OpenedVersion } from '../../../../packages/client/src/schemas';

export interface SceneNode {
  readonly id: string;
  readonly type: string;
  readonly parentId: string | null;
  readonly orderKey: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

interface PieceRef {
  readonly key: string;
}

interface Manifest {
  readonly base: readonly { readonly piece: PieceRef }[];
  readonly deltas: readonly PieceRef[];
}

interface Piece {
  readonly nodes: readonly SceneNode[];
  readonly removed: readonly string[];
}

/** Fetches what is stored elsewhere by its signed URL. */
export type FetchPiece = (url: string) => Promise<ArrayBuffer>;

const fetchPiece: FetchPiece = async (url) => {
  // A token or a cookie is of no use to the object store.
  const response = await fetch(url, { credentials: 'omit' });
  if (!response.ok) throw new Error(`The object store answered ${response.status}.`);
  return response.arrayBuffer();
};

const bytesOf = (base64: string): ArrayBuffer => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0)).buffer;

const unzipJson = async (bytes: ArrayBuffer): Promise<unknown> => {
  const text = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(text).json();
};

type ReadPiece = (key: string) => Promise<unknown>;

const pieceReader =
  ({ pieces }: OpenedVersion, fetchBytes: FetchPiece): ReadPiece =>
  async (key) => {
    const found = pieces.find((piece) => piece.key === key);
    if (found?.base64 !== undefined) return unzipJson(bytesOf(found.base64));
    if (found?.url !== undefined) return unzipJson(await fetchBytes(found.url));
    throw new Error('The snapshot lacks a piece.');
  };

/** In the order of the document: parents before children, siblings by their keys. */
const inOrder = (nodes: readonly SceneNode[]): readonly SceneNode[] => {
  const children = new Map<string | null, SceneNode[]>();
  for (const node of nodes) children.set(node.parentId, [...(children.get(node.parentId) ?? []), node]);
  const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other));
  const sorted: SceneNode[] = [];
  const pending = [null as string | null];
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    const siblings = children.get(parent) ?? [];
    siblings.sort((one, other) => compare(one.orderKey, other.orderKey) || compare(one.id, other.id));
    sorted.push(...siblings);
    pending.push(...siblings.map(({ id }) => id).toReversed());
  }
  return sorted;
};

/** The newest delta is the last: the first mention of an id counts. */
export const readScene = async (
  version: OpenedVersion,
  fetchBytes: FetchPiece = fetchPiece,
): Promise<readonly SceneNode[]> => {
  const read = pieceReader(version, fetchBytes);
  const { base, deltas } = (await read(version.snapshot.compressedSceneKey)) as Manifest;
  const keys = [...deltas.toReversed(), ...base.map(({ piece }) => piece)].map(({ key }) => key);
  const seen = new Set<string>();
  const nodes: SceneNode[] = [];
  for (const piece of (await Promise.all(keys.map(read))) as readonly Piece[]) {
    const found = piece.nodes.filter(({ id }) => !seen.has(id));
    nodes.push(...found);
    for (const id of [...found.map((node) => node.id), ...piece.removed]) seen.add(id);
  }
  return inOrder(nodes);
};
