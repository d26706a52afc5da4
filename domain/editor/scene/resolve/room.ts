/** Siblings that make room for what is put among them, within one operation. */
import type { NodeId, OrderKey } from '../../ids';
import { type Effort, isSpent } from '../effort';
import { type Replaced, replace } from '../journal';
import type { Placed } from '../place';
import { nodeOf, type Scene } from '../scene';

export interface Room {
  readonly scene: Scene;
  readonly journal: Replaced[];
  readonly reordered: Set<NodeId>;
  readonly effort: Effort;
}

const most = 4_000;

/** False: more than one operation should move. */
export const makeRoom = ({ scene, journal, reordered, effort }: Room, placed: Placed): boolean => {
  for (const { id, orderKey } of placed.reordered) {
    const node = nodeOf(scene, id);
    if (node === undefined) continue;
    reordered.add(id);
    replace(scene, journal, { id, node: { ...node, orderKey } });
  }
  return reordered.size <= most && !isSpent(effort);
};

/** As the operation left it: a later part of it may have moved what an earlier one had put. */
export const keyIn = (scene: Scene, id: NodeId, otherwise: OrderKey): OrderKey =>
  (nodeOf(scene, id)?.orderKey as OrderKey | undefined) ?? otherwise;

/** Those that the operation says nothing else of. */
export const reorderedIn = (room: Room, said: ReadonlySet<NodeId>): { reordered?: { [id: string]: OrderKey } } => {
  const others = [...room.reordered].filter((id) => !said.has(id));
  if (others.length === 0) return {};
  return { reordered: Object.fromEntries(others.map((id) => [id, keyIn(room.scene, id, '' as OrderKey)])) };
};
