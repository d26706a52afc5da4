/** Differences between two scenes. */
import type { NodeId } from '../ids';
import { formattedText, plainText } from '../text/text-content';
import { isJsonEqual } from './json';
import { getNode, iterateNodes, type Scene, type SceneNode } from './scene';

/** A side is absent if there was nothing. */
export interface BeforeAfter<Value> {
  readonly before?: Value;
  readonly after?: Value;
}

export interface PropertyChange extends BeforeAfter<unknown> {
  readonly name: string;
}

export interface TreePosition {
  readonly parentId: NodeId | null;
  readonly orderKey: string;
}

export interface NodeChanges {
  /** Ordered by name. */
  readonly properties: readonly PropertyChange[];
  /** Changed parent or order. */
  readonly moved?: Required<BeforeAfter<TreePosition>>;
  /** Plain text; equal on both sides if only formats differ. */
  readonly text?: BeforeAfter<string>;
  /** Deleted and created again with another type. */
  readonly retyped?: Required<BeforeAfter<string>>;
}

export type NodeDifference =
  | { readonly kind: 'created' | 'deleted'; readonly node: SceneNode }
  /** `node` is the node after the change. */
  | { readonly kind: 'changed'; readonly node: SceneNode; readonly changes: NodeChanges };

type Properties = SceneNode['properties'];

/** `Object.hasOwn`, because a property may be named like an inherited one. */
const pickSide = <Side extends keyof BeforeAfter<unknown>>(
  side: Side,
  properties: Properties,
  name: string,
): BeforeAfter<unknown> => (Object.hasOwn(properties, name) ? { [side]: properties[name] } : {});

const diffProperties = (before: Properties, after: Properties): readonly PropertyChange[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changes = names.map((name) => ({
    name,
    ...pickSide('before', before, name),
    ...pickSide('after', after, name),
  }));
  return changes.filter(
    (change) => !('before' in change && 'after' in change && isJsonEqual(change.before, change.after)),
  );
};

const diffText = ({ text: earlier }: SceneNode, { text: later }: SceneNode): BeforeAfter<string> | undefined => {
  const [was, is] = [earlier, later].map((text) => (text === undefined ? '' : formattedText(text)));
  if (was === is) return undefined;
  return {
    ...(earlier === undefined ? {} : { before: plainText(earlier) }),
    ...(later === undefined ? {} : { after: plainText(later) }),
  };
};

const positionOf = ({ parentId, orderKey }: SceneNode): TreePosition => ({ parentId, orderKey });

const diffNodes = (before: SceneNode, after: SceneNode): NodeChanges | undefined => {
  const properties = diffProperties(before.properties, after.properties);
  const isMoved = before.parentId !== after.parentId || before.orderKey !== after.orderKey;
  const text = diffText(before, after);
  const isRetyped = before.type !== after.type;
  if (properties.length === 0 && !isMoved && text === undefined && !isRetyped) return undefined;
  return {
    properties,
    ...(isMoved ? { moved: { before: positionOf(before), after: positionOf(after) } } : {}),
    ...(text === undefined ? {} : { text }),
    ...(isRetyped ? { retyped: { before: before.type, after: after.type } } : {}),
  };
};

/** For versions of one document: nodes with equal revisions are equal. */
export const diffNode = (before: Scene, after: Scene, id: NodeId): NodeDifference | undefined => {
  const [was, node] = [getNode(before, id), getNode(after, id)];
  if (node === undefined) return was === undefined ? undefined : { kind: 'deleted', node: was };
  if (was === undefined) return { kind: 'created', node };
  const changes = was.revision === node.revision ? undefined : diffNodes(was, node);
  return changes === undefined ? undefined : { kind: 'changed', node, changes };
};

/** Unordered. */
export function* diffScenes(before: Scene, after: Scene): Generator<NodeDifference> {
  for (const { id } of iterateNodes(after)) {
    const difference = diffNode(before, after, id);
    if (difference !== undefined) yield difference;
  }
  for (const node of iterateNodes(before)) if (getNode(after, node.id) === undefined) yield { kind: 'deleted', node };
}
