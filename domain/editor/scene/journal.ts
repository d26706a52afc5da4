/** What was there before, in the order it was replaced: enough to take a change back exactly. */
import type { NodeId } from '../ids';
import { type Scene, type SceneNode, write } from './scene';

export interface Replaced {
  readonly id: NodeId;
  readonly before: SceneNode | undefined;
}

/** Each once. */
export const touchedBy = (journal: Iterable<Replaced>): Set<NodeId> => {
  const touched = new Set<NodeId>();
  for (const { id } of journal) touched.add(id);
  return touched;
};

export type Journal = readonly Replaced[];

export const replace = (
  scene: Scene,
  journal: Replaced[],
  change: { id: NodeId; node: SceneNode | undefined },
): void => {
  journal.push({ id: change.id, before: write(scene, change.id, change.node) });
};

export const takeBack = (scene: Scene, journal: Journal): void => {
  for (const { id, before } of journal.toReversed()) write(scene, id, before);
};
