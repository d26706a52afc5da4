/** JSON of one node's differences, bounded in size. */
import type { NodeId } from '../../../../domain/editor/ids';
import type {
  BeforeAfter,
  NodeChanges,
  NodeDifference,
  PropertyChange,
  TreePosition,
} from '../../../../domain/editor/scene/diff';
import type { SceneNode } from '../../../../domain/editor/scene/scene';

export type Side = 'before' | 'after';

/** The sides that existed; a side that is too large is named in `omitted` instead. */
export interface BoundedChange<Value> extends BeforeAfter<Value> {
  readonly omitted?: readonly Side[];
}

export interface BoundedProperty extends BoundedChange<unknown> {
  readonly name: string;
}

export interface NodeDiffView {
  readonly kind: NodeDifference['kind'];
  readonly id: NodeId;
  readonly type: string;
  readonly parentId: NodeId | null;
  readonly name?: string;
  readonly properties?: readonly BoundedProperty[];
  readonly moved?: Required<BeforeAfter<TreePosition>>;
  readonly text?: BoundedChange<string>;
  readonly retyped?: Required<BeforeAfter<string>>;
}

export const diffViewLimits = {
  /** JSON bytes of one value. */
  valueBytes: 2_048,
  textLength: 2_000,
  nameLength: 200,
} as const;

const sides: readonly Side[] = ['before', 'after'];

const boundChange = <Value>(
  change: BeforeAfter<Value>,
  isTooLarge: (value: Value) => boolean,
): BoundedChange<Value> => {
  const there = sides.filter((side) => Object.hasOwn(change, side));
  const omitted = there.filter((side) => isTooLarge(change[side] as Value));
  const included = there.filter((side) => !omitted.includes(side)).map((side) => [side, change[side]]);
  return { ...(Object.fromEntries(included) as BeforeAfter<Value>), ...(omitted.length === 0 ? {} : { omitted }) };
};

const isLargeValue = (value: unknown): boolean =>
  Buffer.byteLength(String(JSON.stringify(value))) > diffViewLimits.valueBytes;
const isLargeText = (value: string): boolean => value.length > diffViewLimits.textLength;

const toBoundedProperty = ({ name, ...change }: PropertyChange): BoundedProperty => ({
  name,
  ...boundChange(change, isLargeValue),
});

const toBoundedChanges = ({ properties, text, ...others }: NodeChanges): Partial<NodeDiffView> => ({
  properties: properties.map(toBoundedProperty),
  ...others,
  ...(text === undefined ? {} : { text: boundChange(text, isLargeText) }),
});

/** The node's name, if it is a string. */
const nameOf = ({ properties }: SceneNode): Pick<NodeDiffView, 'name'> => {
  const name: unknown = Object.hasOwn(properties, 'name') ? properties.name : undefined;
  return typeof name === 'string' ? { name: name.slice(0, diffViewLimits.nameLength).toWellFormed() } : {};
};

export const toNodeDiffView = (difference: NodeDifference): NodeDiffView => {
  const { kind, node } = difference;
  const { id, type, parentId } = node;
  const about = { kind, id, type, parentId, ...nameOf(node) };
  return difference.kind === 'changed' ? { ...about, ...toBoundedChanges(difference.changes) } : about;
};
