/** Decodes and applies property patches. `{style: {fill}}` is the same as `style.fill`. */
import { NodeId } from '../../ids';
import { limits } from '../../limits';
import { PropertyName, Transform } from '../../operation';
import { isRecord, type JsonFault, type JsonRecord, validateJson } from '../json';

export interface NormalizedPatch {
  readonly set: JsonRecord;
  readonly unset: readonly string[];
}

/** Fields of the node itself, which have operations of their own or never change. */
const reservedNames = new Set(['id', 'documentId', 'type', 'parent', 'parentId', 'orderKey', 'revision', 'deleted']);

const isBounds = (value: unknown): boolean =>
  isRecord(value) && ['x', 'y', 'width', 'height'].every((side) => Number.isFinite(value[side]));

const checks: { readonly [name: string]: (value: unknown) => boolean } = {
  transform: Transform.is,
  localBounds: isBounds,
  contentRef: (value) => typeof value === 'string' && value.length > 0 && value.length <= 512,
  instanceOf: NodeId.is,
};
const checkByName = new Map(Object.entries(checks));

const isName = (name: string): boolean =>
  PropertyName.is(name) && !reservedNames.has(name) && !name.includes('.__proto__');

const faultOf = (name: string, value: unknown): JsonFault | undefined => {
  if (!isName(name) || checkByName.get(name)?.(value) === false) return 'malformed';
  return validateJson(value, limits.propertyBytes);
};

/** Names whose values are nested, with their depth. */
const nestingDepths = new Map([
  ['style', 1],
  ['overrides', 2],
]);

const flattenEntries = (value: JsonRecord, prefix: string, depth: number): [string, unknown][] | undefined => {
  const entries: [string, unknown][] = [];
  for (const [name, item] of Object.entries(value)) {
    if (depth > 1 && !isRecord(item)) return undefined;
    const within = depth > 1 && isRecord(item) ? flattenEntries(item, `${prefix}.${name}`, depth - 1) : undefined;
    if (depth > 1 && within === undefined) return undefined;
    entries.push(...(within ?? [[`${prefix}.${name}`, item] satisfies [string, unknown]]));
  }
  return entries;
};

const entriesOf = (set: JsonRecord): [string, unknown][] | undefined => {
  const entries: [string, unknown][] = [];
  for (const [name, value] of Object.entries(set)) {
    const depth = nestingDepths.get(name);
    if (depth === undefined) {
      entries.push([name, value]);
      continue;
    }
    const within = isRecord(value) ? flattenEntries(value, name, depth) : undefined;
    if (within === undefined) return undefined;
    entries.push(...within);
  }
  return entries;
};

/** The normalized properties, or what is wrong with them. */
export const decodeProperties = (set: unknown): JsonRecord | JsonFault => {
  const entries = isRecord(set) ? entriesOf(set) : undefined;
  if (entries === undefined) return 'malformed';
  if (entries.length > limits.propertiesOfNode) return 'too-large';
  for (const [name, value] of entries) {
    const fault = faultOf(name, value);
    if (fault !== undefined) return fault;
  }
  return Object.fromEntries(entries);
};

const decodeNames = (unset: unknown): readonly string[] | JsonFault => {
  if (!Array.isArray(unset)) return 'malformed';
  if (unset.length > limits.propertiesOfNode) return 'too-large';
  const names = unset.filter((name): name is string => typeof name === 'string' && isName(name));
  return names.length === unset.length ? names : 'malformed';
};

export const decodePatch = (change: unknown): NormalizedPatch | JsonFault => {
  if (!isRecord(change)) return 'malformed';
  const set = change.set === undefined ? {} : decodeProperties(change.set);
  if (typeof set === 'string') return set;
  const unset = change.unset === undefined ? [] : decodeNames(change.unset);
  return typeof unset === 'string' ? unset : { set, unset };
};

export const isEmptyPatch = ({ set, unset }: NormalizedPatch): boolean =>
  unset.length === 0 && Object.keys(set).length === 0;

/**
 * Whether a name is one of these or nested under one (`style.fill` under `style`). The cost does not depend on how
 * many there are.
 */
export const matchesAnyPath = (names: readonly unknown[]): ((name: string) => boolean) => {
  const gone = new Set(names);
  return (name) => {
    if (gone.has(name)) return true;
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1))
      if (gone.has(name.slice(0, dot))) return true;
    return false;
  };
};

const withoutNames = (properties: JsonRecord, unset: readonly unknown[]): JsonRecord => {
  if (unset.length === 0) return properties;
  const isGone = matchesAnyPath(unset);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !isGone(name)));
};

/** Applies `unset` first, with all nested names, then `set`. */
export const applyPatch = (properties: JsonRecord, change: JsonRecord): JsonRecord => {
  const remaining = Array.isArray(change.unset) ? withoutNames(properties, change.unset) : properties;
  return isRecord(change.set) ? { ...remaining, ...change.set } : remaining;
};
