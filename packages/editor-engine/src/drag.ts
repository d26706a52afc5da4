/** Moving by hand: seen here at once and by nobody else until it is let go, and then it is one operation. */
import type { NodeId } from '../../../domain/editor/ids';
import { nodeOf, type SceneNode } from '../../../domain/editor/scene/scene';
import { asMeant } from '../../../domain/editor/scene/spaces';
import type { Desk, Edited } from './edit/desk';
import { transform } from './edit/edits';

export type Transforms = { readonly [id: NodeId]: readonly number[] };

export interface Drag {
  /** In the space of the parents that they were in when it began, wherever others put them meanwhile. */
  readonly to: (transforms: Transforms) => void;
  readonly drop: () => Edited;
  readonly cancel: () => void;
}

interface Dragged {
  readonly transform: readonly number[];
  readonly baseVersion: number;
}

export type Previews = Map<NodeId, Dragged>;

/** As it is shown while it is dragged. */
export const previewed = (desk: Desk, previews: Previews, node: SceneNode): SceneNode => {
  const dragged = previews.get(node.id);
  const { clientId } = desk.author;
  if (dragged === undefined || clientId === undefined) return node;
  const known = { clientId, baseVersion: dragged.baseVersion };
  const shown = asMeant(desk.ledger.replica.scene, node, { transform: dragged.transform, known });
  return { ...node, properties: { ...node.properties, transform: shown } };
};

export const openDrag = (desk: Desk, previews: Previews, changed: (ids: ReadonlySet<NodeId>) => void): Drag => {
  const { replica } = desk.ledger;
  const baseVersion = replica.version;
  let last: Transforms = {};
  const show = (transforms: Transforms): void => {
    const ids = new Set<NodeId>();
    for (const id of Object.keys(last) as NodeId[]) if (previews.delete(id)) ids.add(id);
    last = { ...transforms };
    for (const [id, matrix] of Object.entries(last) as [NodeId, readonly number[]][]) {
      if (nodeOf(replica.scene, id) === undefined) continue;
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
      return transform(desk, dropped, baseVersion);
    },
    cancel: () => show({}),
  };
};
