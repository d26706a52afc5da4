/** Previous nodes and parents that an undo needs. */
import type { NodeId } from '../../../../domain/editor/ids';
import type { RollbackJournal } from '../../../../domain/editor/reducer/rollback-journal';
import { convertTransform, worldTransform } from '../../../../domain/editor/scene/coordinate-space';
import type { Matrix } from '../../../../domain/editor/scene/matrix';
import { getNode, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';
import { selfAndAncestors } from '../../../../domain/editor/scene/tree';

/** Previous ancestors, the nearest first, and world transform of a parent. */
export interface PreviousParent {
  readonly ancestors: readonly NodeId[];
  readonly space: Matrix;
}

export type PreviousParents = ReadonlyMap<NodeId, PreviousParent>;
export type BeforeImages = ReadonlyMap<NodeId, SceneNode | undefined>;

/** For parents that still exist after children left them. */
export const parentsBefore = (scene: Scene, journals: readonly RollbackJournal[]): PreviousParents => {
  const previousParents = new Map<NodeId, PreviousParent>();
  for (const journal of journals)
    for (const { before } of journal) {
      const parentId = before?.parentId ?? null;
      if (parentId === null || previousParents.has(parentId) || getNode(scene, parentId) === undefined) continue;
      previousParents.set(parentId, {
        ancestors: [...selfAndAncestors(scene, parentId)].slice(1),
        space: worldTransform(scene, parentId),
      });
    }
  return previousParents;
};

export const beforeImagesIn = (journals: readonly RollbackJournal[]): BeforeImages => {
  const beforeImages = new Map<NodeId, SceneNode | undefined>();
  for (const journal of journals)
    for (const { id, before } of journal) if (!beforeImages.has(id)) beforeImages.set(id, before);
  return beforeImages;
};

export interface UndoContext {
  readonly scene: Scene;
  readonly beforeImages: BeforeImages;
  readonly previousParents: PreviousParents;
  /** Restores only values that are still as the undone operation wrote them. */
  readonly isConditional: boolean;
}

export interface RestoreTarget {
  readonly parentId: NodeId | null;
  /** Ancestors of the parent, the nearest first. */
  readonly ancestors: readonly NodeId[];
  /** The transform that keeps the node's position on the canvas. */
  readonly transform: unknown;
}

/** The previous position, or the nearest ancestor that still exists. */
export const restoreTargetOf = (scene: Scene, previousParents: PreviousParents, before: SceneNode): RestoreTarget => {
  const { transform } = before.properties;
  const { parentId } = before;
  if (parentId === null) return { parentId, ancestors: [], transform };
  const home = previousParents.get(parentId);
  if (getNode(scene, parentId) !== undefined || home === undefined)
    return { parentId, ancestors: home?.ancestors ?? [], transform };
  const left = home.ancestors.findIndex((id) => getNode(scene, id) !== undefined);
  const nearest = home.ancestors[left] ?? null;
  const there = Array.isArray(transform)
    ? convertTransform(transform, home.space, worldTransform(scene, nearest))
    : transform;
  return { parentId: nearest, ancestors: left < 0 ? [] : home.ancestors.slice(left + 1), transform: there };
};
