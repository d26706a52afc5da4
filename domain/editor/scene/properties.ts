/** What somebody asks to write, by names with their paths. `{style: {fill}}` says the same as `style.fill`. */
import { NodeId } from '../ids';
import { limits } from '../limits';
import { PropertyName, Transform } from '../operation';
import { isRecord, type JsonRecord, type ValueFault, valueFault } from './values';

export interface Change {
  readonly set: JsonRecord;
  readonly unset: readonly string[];
}

/** Of the node itself: they have operations of their own, or never change. */
const fixed = new Set(['id', 'documentId', 'type', 'parent', 'parentId', 'orderKey', 'revision', 'deleted']);

const isBounds = (value: unknown): boolean =>
  isRecord(value) && ['x', 'y', 'width', 'height'].every((side) => Number.isFinite(value[side]));

const known: { readonly [name: string]: (value: unknown) => boolean } = {
  transform: Transform.is,
  localBounds: isBounds,
  contentRef: (value) => typeof value === 'string' && value.length > 0 && value.length <= 512,
  instanceOf: NodeId.is,
};
const mustBe = new Map(Object.entries(known));

const isName = (name: string): boolean => PropertyName.is(name) && !fixed.has(name) && !name.includes('.__proto__');

const faultOf = (name: string, value: unknown): ValueFault | undefined => {
  if (!isName(name) || mustBe.get(name)?.(value) === false) return 'malformed';
  return valueFault(value, limits.propertyBytes);
};

/** Names that hold names, and how deep. */
const nested = new Map([
  ['style', 1],
  ['overrides', 2],
]);

const flattened = (value: JsonRecord, prefix: string, depth: number): [string, unknown][] | undefined => {
  const entries: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (depth > 1 && !isRecord(item)) return undefined;
    const within = depth > 1 && isRecord(item) ? flattened(item, `${prefix}.${name}`, depth - 1) : undefined;
    if (depth > 1 && within === undefined) return undefined;
    entries.push(...(within ?? [[`${prefix}.${name}`, item] satisfies [string, unknown]]));
  }
  return entries;
};

const entriesOf = (set: JsonRecord): [string, unknown][] | undefined => {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(set)) {
    const depth = nested.get(name);
    if (depth === undefined) {
      entries.push([name, value]);
      continue;
    }
    const within = isRecord(value) ? flattened(value, name, depth) : undefined;
    if (within === undefined) return undefined;
    entries.push(...within);
  }
  return entries;
};

/** As they are kept, or what is wrong with them. */
export const readSet = (set: unknown): JsonRecord | ValueFault => {
  const entries = isRecord(set) ? entriesOf(set) : undefined;
  if (entries === undefined) return 'malformed';
  if (entries.length > limits.propertiesOfNode) return 'too-large';
  for (const [name, value] of entries) {
    const fault = faultOf(name, value);
    if (fault !== undefined) return fault;
  }
  return Object.fromEntries(entries);
};

const readUnset = (unset: unknown): readonly string[] | ValueFault => {
  if (!Array.isArray(unset)) return 'malformed';
  if (unset.length > limits.propertiesOfNode) return 'too-large';
  const names = unset.filter((name): name is string => typeof name === 'string' && isName(name));
  return names.length === unset.length ? names : 'malformed';
};

export const readChange = (change: unknown): Change | ValueFault => {
  if (!isRecord(change)) return 'malformed';
  const set = change.set === undefined ? {} : readSet(change.set);
  if (typeof set === 'string') return set;
  const unset = change.unset === undefined ? [] : readUnset(change.unset);
  return typeof unset === 'string' ? unset : { set, unset };
};

export const isEmpty = ({ set, unset }: Change): boolean => unset.length === 0 && Object.keys(set).length === 0;
