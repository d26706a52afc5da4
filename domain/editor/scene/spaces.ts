/** Where nodes are in the document, and how what was meant in one parent's space is said in another's. */
import type { ClientId, NodeId } from '../ids';
import { Transform } from '../operation';
import { identity, inverse, like, type Matrix, times } from './matrix';
import { nodeOf, type Scene, type SceneNode } from './scene';
import { upFrom } from './tree';
import { isSame } from './values';

export const transformOf = ({ properties }: SceneNode): Matrix =>
  Transform.is(properties.transform) ? properties.transform : identity;

/** From the space that children of it are in into the document's. */
export const spaceOf = (scene: Scene, parentId: NodeId | null): Matrix => {
  let space = identity;
  for (const id of upFrom(scene, parentId)) {
    const node = nodeOf(scene, id);
    if (node !== undefined) space = times(transformOf(node), space);
  }
  return space;
};

/** What is seen there when it is `transform` in one space, said in another; as it is, where that cannot be said. */
export const inOtherSpace = (transform: Matrix, from: Matrix, to: Matrix): Matrix => {
  if (isSame(from, to)) return transform;
  const back = inverse(to);
  if (back === undefined) return transform;
  const said = like(transform, times(back, times(from, transform)));
  return Transform.is(said) ? said : transform;
};

export interface Knowledge {
  readonly clientId: ClientId;
  readonly baseVersion: number;
}

/** The first move that whoever asks did not know of. */
const unknownMove = ({ moves = [] }: SceneNode, { clientId, baseVersion }: Knowledge): Matrix | undefined => {
  const own = moves.findLastIndex(({ by }) => by === clientId);
  return moves.slice(own + 1).find(({ version }) => version > baseVersion)?.fromSpace;
};

/** A transform as it must be in the present parent to be where it was meant to be. */
export const asMeant = (scene: Scene, node: SceneNode, asked: { transform: Matrix; known: Knowledge }): Matrix => {
  const fromSpace = unknownMove(node, asked.known);
  if (fromSpace === undefined) return asked.transform;
  return inOtherSpace(asked.transform, fromSpace, spaceOf(scene, node.parentId));
};
