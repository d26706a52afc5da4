/** Differences as people are shown them: JSON that is bounded, however large the nodes are. */
import type { NodeId } from '../../../domain/editor/ids';
import type {
  NodeChanges,
  NodeDifference,
  NodePlace,
  PropertyChange,
  Was,
} from '../../../domain/editor/scene/difference';
import type { SceneNode } from '../../../domain/editor/scene/scene';

export type Side = 'before' | 'after';

/** Both sides as far as they were there; what was too large to be shown is named instead. */
export interface ShownChange<Value> extends Was<Value> {
  readonly omitted?: readonly Side[];
}

export interface ShownProperty extends ShownChange<unknown> {
  readonly name: string;
}

export interface ShownDifference {
  readonly kind: NodeDifference['kind'];
  readonly id: NodeId;
  readonly type: string;
  readonly parentId: NodeId | null;
  readonly name?: string;
  readonly properties?: readonly ShownProperty[];
  readonly moved?: Required<Was<NodePlace>>;
  readonly text?: ShownChange<string>;
  readonly retyped?: Required<Was<string>>;
}

export const shownBounds = {
  /** Of one value's JSON. */
  valueBytes: 2_048,
  textLength: 2_000,
  nameLength: 200,
} as const;

const sides: readonly Side[] = ['before', 'after'];

const bounded = <Value>(change: Was<Value>, isTooLarge: (value: Value) => boolean): ShownChange<Value> => {
  const there = sides.filter((side) => Object.hasOwn(change, side));
  const omitted = there.filter((side) => isTooLarge(change[side] as Value));
  const shown = there.filter((side) => !omitted.includes(side)).map((side) => [side, change[side]]);
  return { ...(Object.fromEntries(shown) as Was<Value>), ...(omitted.length === 0 ? {} : { omitted }) };
};

const isLargeValue = (value: unknown): boolean =>
  Buffer.byteLength(String(JSON.stringify(value))) > shownBounds.valueBytes;
const isLargeText = (value: string): boolean => value.length > shownBounds.textLength;

const shownProperty = ({ name, ...change }: PropertyChange): ShownProperty => ({
  name,
  ...bounded(change, isLargeValue),
});

const shownChanges = ({ properties, text, ...others }: NodeChanges): Partial<ShownDifference> => ({
  properties: properties.map(shownProperty),
  ...others,
  ...(text === undefined ? {} : { text: bounded(text, isLargeText) }),
});

/** Where it has one that can be read. */
const nameOf = ({ properties }: SceneNode): Pick<ShownDifference, 'name'> => {
  const name: unknown = Object.hasOwn(properties, 'name') ? properties.name : undefined;
  return typeof name === 'string' ? { name: name.slice(0, shownBounds.nameLength).toWellFormed() } : {};
};

export const shownDifference = (difference: NodeDifference): ShownDifference => {
  const { kind, node } = difference;
  const { id, type, parentId } = node;
  const about = { kind, id, type, parentId, ...nameOf(node) };
  return difference.kind === 'changed' ? { ...about, ...shownChanges(difference.changes) } : about;
};
