/** A part of a snapshot as it is stored, before it is compressed: nodes as they are, and ids of nodes that are gone. */
import { type Either, left, right } from 'fp-ts/Either';
import { NodeId } from '../ids';
import type { SceneNode } from '../scene/scene';
import { nodeOfStored, storedNode } from '../scene/stored';

export interface Piece {
  readonly nodes: readonly SceneNode[];
  readonly removed: readonly NodeId[];
}

/** Of one node: pieces are put together of these, and taken apart again without being read. */
export const nodeText = (node: SceneNode): string => JSON.stringify(storedNode(node));

export const pieceText = (nodes: readonly string[], removed: readonly NodeId[]): string =>
  `{"nodes":[${nodes.join(',')}],"removed":${JSON.stringify(removed)}}`;

const fieldsOf = (text: string): { readonly nodes?: unknown; readonly removed?: unknown } => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
};

/** Left is what is wrong with it: a whole piece or none. */
export const readPiece = (text: string): Either<string, Piece> => {
  const { nodes, removed } = fieldsOf(text);
  if (!Array.isArray(nodes) || !Array.isArray(removed)) return left('The piece has no nodes.');
  const read = nodes.map(nodeOfStored);
  if (!read.every((node) => node !== undefined)) return left('The piece has something that is no node.');
  return removed.every(NodeId.is)
    ? right({ nodes: read, removed })
    : left('The piece names something that is no node.');
};
