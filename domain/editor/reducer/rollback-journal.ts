/** Before-images of changed nodes, in order, to roll a change back exactly. */
import type { NodeId } from '../ids';
import { type Scene, type SceneNode, setNode } from '../scene/scene';

export interface BeforeImage {
  readonly id: NodeId;
  readonly before: SceneNode | undefined;
}

/** Each id once. */
export const touchedNodeIds = (journal: Iterable<BeforeImage>): Set<NodeId> => {
  const touched = new Set<NodeId>();
  for (const { id } of journal) touched.add(id);
  return touched;
};

export type RollbackJournal = readonly BeforeImage[];

export const setNodeJournaled = (
  scene: Scene,
  journal: BeforeImage[],
  change: { id: NodeId; node: SceneNode | undefined },
): void => {
  journal.push({ id: change.id, before: setNode(scene, change.id, change.node) });
};

export const rollBack = (scene: Scene, journal: RollbackJournal): void => {
  for (const { id, before } of journal.toReversed()) setNode(scene, id, before);
};
