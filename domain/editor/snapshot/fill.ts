/** Puts the pieces of a snapshot into a scene, in the order of `piecesOf`. */
import type { NodeId } from '../ids';
import { type Scene, write } from '../scene/scene';
import type { Piece } from './piece';

export interface Filling {
  readonly scene: Scene;
  /** What newer pieces told of. */
  readonly told: Set<NodeId>;
}

export const filling = (scene: Scene): Filling => ({ scene, told: new Set() });

export const fill = ({ scene, told }: Filling, { nodes, removed }: Piece): void => {
  for (const node of nodes) {
    if (told.has(node.id)) continue;
    told.add(node.id);
    write(scene, node.id, node);
  }
  for (const id of removed) told.add(id);
};
