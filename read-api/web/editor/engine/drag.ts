/** Moving by hand: seen here at once and by nobody else until it is let go, and then it is one operation. */
import type { NodeId } from '../../../../domain/editor/ids';
import { nodeOf, type SceneNode } from '../../../../domain/editor/scene/scene';
import { asMeant } from '../../../../domain/editor/scene/spaces';
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
  const clear = (): void => {
    const ids = new Set(Object.keys(last) as NodeId[]);
    for (const id of ids) previews.delete(id);
    changed(ids);
  };
  return {
    to: (transforms) => {
      clear();
      last = { ...transforms };
      for (const [id, matrix] of Object.entries(last) as [NodeId, readonly number[]][])
        if (nodeOf(replica.scene, id) !== undefined) previews.set(id, { transform: matrix, baseVersion });
      changed(new Set(previews.keys()));
    },
    drop: () => {
      clear();
      return transform(desk, last, baseVersion);
    },
    cancel: clear,
  };
};
