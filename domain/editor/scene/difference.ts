/** What became of nodes from one scene to another. */
import type { NodeId } from '../ids';
import { formattedText, plainText } from '../text/plain';
import { nodeOf, nodesOf, type Scene, type SceneNode } from './scene';
import { isSame } from './values';

/** Absent where there was nothing. */
export interface Was<Value> {
  readonly before?: Value;
  readonly after?: Value;
}

export interface PropertyChange extends Was<unknown> {
  readonly name: string;
}

export interface NodePlace {
  readonly parentId: NodeId | null;
  readonly orderKey: string;
}

export interface NodeChanges {
  /** In alphabetical order of their names. */
  readonly properties: readonly PropertyChange[];
  /** To another parent, or among its siblings. */
  readonly moved?: Required<Was<NodePlace>>;
  /** As it reads; the same where only formats differ. */
  readonly text?: Was<string>;
  /** It was deleted and made again as something else. */
  readonly retyped?: Required<Was<string>>;
}

export type NodeDifference =
  | { readonly kind: 'created' | 'deleted'; readonly node: SceneNode }
  /** `node` is what it became. */
  | { readonly kind: 'changed'; readonly node: SceneNode; readonly changes: NodeChanges };

type Properties = SceneNode['properties'];

/** Names of what every object has are names like others. */
const sideOf = <Side extends keyof Was<unknown>>(side: Side, properties: Properties, name: string): Was<unknown> =>
  Object.hasOwn(properties, name) ? { [side]: properties[name] } : {};

const propertiesOf = (before: Properties, after: Properties): readonly PropertyChange[] => {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changes = names.map((name) => ({ name, ...sideOf('before', before, name), ...sideOf('after', after, name) }));
  return changes.filter((change) => !('before' in change && 'after' in change && isSame(change.before, change.after)));
};

const textOf = ({ text: earlier }: SceneNode, { text: later }: SceneNode): Was<string> | undefined => {
  const [was, is] = [earlier, later].map((text) => (text === undefined ? '' : formattedText(text)));
  if (was === is) return undefined;
  return {
    ...(earlier === undefined ? {} : { before: plainText(earlier) }),
    ...(later === undefined ? {} : { after: plainText(later) }),
  };
};

const placeOf = ({ parentId, orderKey }: SceneNode): NodePlace => ({ parentId, orderKey });

const changesOf = (before: SceneNode, after: SceneNode): NodeChanges | undefined => {
  const properties = propertiesOf(before.properties, after.properties);
  const isMoved = before.parentId !== after.parentId || before.orderKey !== after.orderKey;
  const text = textOf(before, after);
  const isRetyped = before.type !== after.type;
  if (properties.length === 0 && !isMoved && text === undefined && !isRetyped) return undefined;
  return {
    properties,
    ...(isMoved ? { moved: { before: placeOf(before), after: placeOf(after) } } : {}),
    ...(text === undefined ? {} : { text }),
    ...(isRetyped ? { retyped: { before: before.type, after: after.type } } : {}),
  };
};

/** Of two versions of one document: a node of the same revision is the same. */
export const differenceAt = (before: Scene, after: Scene, id: NodeId): NodeDifference | undefined => {
  const [was, node] = [nodeOf(before, id), nodeOf(after, id)];
  if (node === undefined) return was === undefined ? undefined : { kind: 'deleted', node: was };
  if (was === undefined) return { kind: 'created', node };
  const changes = was.revision === node.revision ? undefined : changesOf(was, node);
  return changes === undefined ? undefined : { kind: 'changed', node, changes };
};

/** In no order. */
export function* differencesOf(before: Scene, after: Scene): Generator<NodeDifference> {
  for (const { id } of nodesOf(after)) {
    const difference = differenceAt(before, after, id);
    if (difference !== undefined) yield difference;
  }
  for (const node of nodesOf(before)) if (nodeOf(after, node.id) === undefined) yield { kind: 'deleted', node };
}
