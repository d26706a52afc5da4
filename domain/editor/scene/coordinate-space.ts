/** Local and world transforms, and conversion of transforms between parents. */
import type { ClientId, NodeId } from '../ids';
import { Transform } from '../operation';
import { isJsonEqual } from './json';
import { identity, inverse, type Matrix, matchDimensions, multiply } from './matrix';
import { getNode, type Scene, type SceneNode } from './scene';
import { selfAndAncestors } from './tree';

export const localTransform = ({ properties }: SceneNode): Matrix =>
  Transform.is(properties.transform) ? properties.transform : identity;

/** World transform of the space in which a parent's children are. */
export const worldTransform = (scene: Scene, parentId: NodeId | null): Matrix => {
  let space = identity;
  for (const id of selfAndAncestors(scene, parentId)) {
    const node = getNode(scene, id);
    if (node !== undefined) space = multiply(localTransform(node), space);
  }
  return space;
};

/**
 * Converts a transform so that the node keeps its position on the canvas; unchanged if the target space cannot be
 * inverted.
 */
export const convertTransform = (transform: Matrix, from: Matrix, to: Matrix): Matrix => {
  if (isJsonEqual(from, to)) return transform;
  const back = inverse(to);
  if (back === undefined) return transform;
  const matched = matchDimensions(transform, multiply(back, multiply(from, transform)));
  return Transform.is(matched) ? matched : transform;
};

export interface CausalContext {
  readonly clientId: ClientId;
  readonly baseVersion: number;
}

/** The first change of parent that the client had not seen. */
const unseenReparent = ({ moves = [] }: SceneNode, { clientId, baseVersion }: CausalContext): Matrix | undefined => {
  const own = moves.findLastIndex(({ by }) => by === clientId);
  return moves.slice(own + 1).find(({ version }) => version > baseVersion)?.fromSpace;
};

/** Converts a transform to the current parent's space if the client had not seen the move. */
export const rebaseTransform = (
  scene: Scene,
  node: SceneNode,
  request: { transform: Matrix; known: CausalContext },
): Matrix => {
  const fromSpace = unseenReparent(node, request.known);
  if (fromSpace === undefined) return request.transform;
  return convertTransform(request.transform, fromSpace, worldTransform(scene, node.parentId));
};
