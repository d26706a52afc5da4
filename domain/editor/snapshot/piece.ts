/** A snapshot piece before compression: nodes and deleted ids. Also fills a scene from pieces. */
import { type Either, left, right } from 'fp-ts/Either';
import { NodeId } from '../ids';
import { nodeFromJson, nodeToJson } from '../scene/nodes/node-json';
import { type Scene, type SceneNode, setNode } from '../scene/scene';

export interface Piece {
  readonly nodes: readonly SceneNode[];
  readonly removed: readonly NodeId[];
}

/** JSON of one node; pieces are concatenated from these without parsing. */
export const serializeNode = (node: SceneNode): string => JSON.stringify(nodeToJson(node));

export const serializePiece = (nodes: readonly string[], removed: readonly NodeId[]): string =>
  `{"nodes":[${nodes.join(',')}],"removed":${JSON.stringify(removed)}}`;

const fieldsOf = (text: string): { readonly nodes?: unknown; readonly removed?: unknown } => {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
};

/** Left with the reason if any part is malformed. */
export const parsePiece = (text: string): Either<string, Piece> => {
  const { nodes, removed } = fieldsOf(text);
  if (!Array.isArray(nodes) || !Array.isArray(removed)) return left('The piece has no nodes.');
  const read = nodes.map(nodeFromJson);
  if (!read.every((node) => node !== undefined)) return left('The piece contains something that is not a node.');
  return removed.every(NodeId.is)
    ? right({ nodes: read, removed })
    : left('The piece names something that is not a node.');
};

export interface SceneFill {
  readonly scene: Scene;
  /** Nodes that newer pieces contained. */
  readonly seen: Set<NodeId>;
}

export const startFill = (scene: Scene): SceneFill => ({ scene, seen: new Set() });

export const addPiece = ({ scene, seen }: SceneFill, { nodes, removed }: Piece): void => {
  for (const node of nodes) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    setNode(scene, node.id, node);
  }
  for (const id of removed) seen.add(id);
};
