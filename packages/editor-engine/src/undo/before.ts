/** What an operation did away with, as far as it takes to bring it back. */
import type { NodeId } from '../../../../domain/editor/ids';
import type { Journal } from '../../../../domain/editor/scene/journal';
import type { Matrix } from '../../../../domain/editor/scene/matrix';
import { nodeOf, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';
import { inOtherSpace, spaceOf } from '../../../../domain/editor/scene/spaces';
import { upFrom } from '../../../../domain/editor/scene/tree';

/** Where children of a node were: what was above it, the nearest first, and its space. */
export interface Home {
  readonly above: readonly NodeId[];
  readonly space: Matrix;
}

export type Homes = ReadonlyMap<NodeId, Home>;
export type Befores = ReadonlyMap<NodeId, SceneNode | undefined>;

/** Of the parents that are still there when something has left them. */
export const homesIn = (scene: Scene, journals: readonly Journal[]): Homes => {
  const homes = new Map<NodeId, Home>();
  for (const journal of journals)
    for (const { before } of journal) {
      const parentId = before?.parentId ?? null;
      if (parentId === null || homes.has(parentId) || nodeOf(scene, parentId) === undefined) continue;
      homes.set(parentId, { above: [...upFrom(scene, parentId)].slice(1), space: spaceOf(scene, parentId) });
    }
  return homes;
};

export const beforesIn = (journals: readonly Journal[]): Befores => {
  const befores = new Map<NodeId, SceneNode | undefined>();
  for (const journal of journals) for (const { id, before } of journal) if (!befores.has(id)) befores.set(id, before);
  return befores;
};

export interface Undoing {
  readonly scene: Scene;
  readonly befores: Befores;
  readonly homes: Homes;
  /** Only what is still as it was written is taken back. */
  readonly isConditional: boolean;
}

export interface Place {
  readonly parentId: NodeId | null;
  /** Of the parent, the nearest first. */
  readonly above: readonly NodeId[];
  /** As it must be there to be seen where it was. */
  readonly transform: unknown;
}

/** Where it was, or as near to that as something is left. */
export const placeOf = (scene: Scene, homes: Homes, before: SceneNode): Place => {
  const { transform } = before.properties;
  const { parentId } = before;
  if (parentId === null) return { parentId, above: [], transform };
  const home = homes.get(parentId);
  if (nodeOf(scene, parentId) !== undefined || home === undefined)
    return { parentId, above: home?.above ?? [], transform };
  const left = home.above.findIndex((id) => nodeOf(scene, id) !== undefined);
  const nearest = home.above[left] ?? null;
  const there = Array.isArray(transform) ? inOtherSpace(transform, home.space, spaceOf(scene, nearest)) : transform;
  return { parentId: nearest, above: left < 0 ? [] : home.above.slice(left + 1), transform: there };
};
