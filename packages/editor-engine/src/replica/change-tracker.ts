/** Tracks which nodes changed since the last notification. */
import type { NodeId } from '../../../../domain/editor/ids';
import type { RollbackJournal } from '../../../../domain/editor/reducer/rollback-journal';
import { isJsonEqual } from '../../../../domain/editor/scene/json';
import { getNode, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';

export interface ChangeSet {
  readonly ids: ReadonlySet<NodeId>;
  /** The scene was replaced. */
  readonly isAll: boolean;
}

export interface ChangeTracker {
  readonly note: (journal: RollbackJournal) => void;
  /** Call before the journal is rolled back. */
  readonly noteBack: (scene: Scene, journal: RollbackJournal) => void;
  readonly noteAll: () => void;
  /** Changes since the last call; undefined if there are none. */
  readonly take: (scene: Scene) => ChangeSet | undefined;
}

/** Rebasing recreates node objects that are equal to the previous ones. */
const looksSame = (one: SceneNode | undefined, other: SceneNode | undefined): boolean => {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (one.type !== other.type || one.parentId !== other.parentId || one.orderKey !== other.orderKey) return false;
  return one.text === other.text && isJsonEqual(one.properties, other.properties);
};

/** `noted` is called with the first change after each `take`. */
export const createChangeTracker = (noted: () => void): ChangeTracker => {
  let before = new Map<NodeId, SceneNode | undefined>();
  let isAll = false;
  const put = (id: NodeId, node: SceneNode | undefined): void => {
    if (before.size === 0 && !isAll) noted();
    if (!before.has(id)) before.set(id, node);
  };
  return {
    note: (journal) => {
      for (const { id, before: node } of journal) put(id, node);
    },
    noteBack: (scene, journal) => {
      for (const { id } of journal) put(id, getNode(scene, id));
    },
    noteAll: () => {
      if (before.size === 0 && !isAll) noted();
      isAll = true;
    },
    take: (scene) => {
      const [noticed, all] = [before, isAll];
      [before, isAll] = [new Map(), false];
      if (all) return { ids: new Set(), isAll: true };
      const ids = new Set([...noticed].filter(([id, node]) => !looksSame(node, getNode(scene, id))).map(([id]) => id));
      return ids.size === 0 ? undefined : { ids, isAll: false };
    },
  };
};
