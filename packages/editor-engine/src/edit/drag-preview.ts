/** Previews a drag locally and creates one operation on drop. */
import type { NodeId } from '../../../../domain/editor/ids';
import { rebaseTransform } from '../../../../domain/editor/scene/coordinate-space';
import { getNode, type SceneNode } from '../../../../domain/editor/scene/scene';
import { transformNodes } from './node-commands';
import type { EditingContext, EditResult } from './transactions';

export type Transforms = { readonly [id: NodeId]: readonly number[] };

export interface Drag {
  /** Relative to the parents at the start of the drag, even if others move the nodes meanwhile. */
  readonly to: (transforms: Transforms) => void;
  readonly drop: () => EditResult;
  readonly cancel: () => void;
}

interface DragState {
  readonly transform: readonly number[];
  readonly baseVersion: number;
}

export type Previews = Map<NodeId, DragState>;

/** The node with its preview transform. */
export const withPreview = (editing: EditingContext, previews: Previews, node: SceneNode): SceneNode => {
  const dragged = previews.get(node.id);
  const { clientId } = editing.ids;
  if (dragged === undefined || clientId === undefined) return node;
  const known = { clientId, baseVersion: dragged.baseVersion };
  const rebased = rebaseTransform(editing.tracker.replica.scene, node, { transform: dragged.transform, known });
  return { ...node, properties: { ...node.properties, transform: rebased } };
};

export const openDrag = (
  editing: EditingContext,
  previews: Previews,
  changed: (ids: ReadonlySet<NodeId>) => void,
): Drag => {
  const { replica } = editing.tracker;
  const baseVersion = replica.version;
  let last: Transforms = {};
  const show = (transforms: Transforms): void => {
    const ids = new Set<NodeId>();
    for (const id of Object.keys(last) as NodeId[]) if (previews.delete(id)) ids.add(id);
    last = { ...transforms };
    for (const [id, matrix] of Object.entries(last) as [NodeId, readonly number[]][]) {
      if (getNode(replica.scene, id) === undefined) continue;
      previews.set(id, { transform: matrix, baseVersion });
      ids.add(id);
    }
    if (ids.size > 0) changed(ids);
  };
  return {
    to: show,
    drop: () => {
      const dropped = last;
      show({});
      return transformNodes(editing, dropped, baseVersion);
    },
    cancel: () => show({}),
  };
};
