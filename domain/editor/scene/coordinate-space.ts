/** Where nodes are in the document, and how what was meant in one parent's space is said in another's. */
import type { ClientId, NodeId } from '../ids';
import { Transform } from '../operation';
import { isJsonEqual } from './json';
import { identity, inverse, type Matrix, matchDimensions, multiply } from './matrix';
import { getNode, type Scene, type SceneNode } from './scene';
import { selfAndAncestors } from './tree';

export const localTransform = ({ properties }: SceneNode): Matrix =>
  Transform.is(properties.transform) ? properties.transform : identity;

/** From the space that children of it are in into the document's. */
export const worldTransform = (scene: Scene, parentId: NodeId | null): Matrix => {
  let space = identity;
  for (const id of selfAndAncestors(scene, parentId)) {
    const node = getNode(scene, id);
    if (node !== undefined) space = multiply(localTransform(node), space);
  }
  return space;
};

/** What is seen there when it is `transform` in one space, said in another; as it is, where that cannot be said. */
export const convertTransform = (transform: Matrix, from: Matrix, to: Matrix): Matrix => {
  if (isJsonEqual(from, to)) return transform;
  const back = inverse(to);
  if (back === undefined) return transform;
  const said = matchDimensions(transform, multiply(back, multiply(from, transform)));
  return Transform.is(said) ? said : transform;
};

export interface CausalContext {
  readonly clientId: ClientId;
  readonly baseVersion: number;
}

/** The first move that whoever asks did not know of. */
const unseenReparent = ({ moves = [] }: SceneNode, { clientId, baseVersion }: CausalContext): Matrix | undefined => {
  const own = moves.findLastIndex(({ by }) => by === clientId);
  return moves.slice(own + 1).find(({ version }) => version > baseVersion)?.fromSpace;
};

/** A transform as it must be in the present parent to be where it was meant to be. */
export const rebaseTransform = (
  scene: Scene,
  node: SceneNode,
  asked: { transform: Matrix; known: CausalContext },
): Matrix => {
  const fromSpace = unseenReparent(node, asked.known);
  if (fromSpace === undefined) return asked.transform;
  return convertTransform(asked.transform, fromSpace, worldTransform(scene, node.parentId));
};
