/** Which nodes are other than they were when somebody was told last. */
import type { NodeId } from '../../../../domain/editor/ids';
import type { RollbackJournal } from '../../../../domain/editor/reducer/rollback-journal';
import { isJsonEqual } from '../../../../domain/editor/scene/json';
import { getNode, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';

export interface ChangeSet {
  readonly ids: ReadonlySet<NodeId>;
  /** Another scene: everything may be. */
  readonly isAll: boolean;
}

export interface ChangeTracker {
  readonly note: (journal: RollbackJournal) => void;
  /** Before it is taken back. */
  readonly noteBack: (scene: Scene, journal: RollbackJournal) => void;
  readonly noteAll: () => void;
  /** Since the last time; nothing where all is as it was. */
  readonly take: (scene: Scene) => ChangeSet | undefined;
}

/** Pending edits that are put on again make nodes anew that look as before. */
const looksSame = (one: SceneNode | undefined, other: SceneNode | undefined): boolean => {
  if (one === other) return true;
  if (one === undefined || other === undefined) return false;
  if (one.type !== other.type || one.parentId !== other.parentId || one.orderKey !== other.orderKey) return false;
  return one.text === other.text && isJsonEqual(one.properties, other.properties);
};

/** `noted` is called with the first of what is taken together. */
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
