/**
 * Merges successive unsent operations on the same nodes within one transaction, so a slider sends only its last
 * value.
 */
import { mergeUpdates } from 'yjs';
import type { Operation, Payload, PropertyPatch } from '../../../../domain/editor/operation';
import { decodeBase64, encodeBase64 } from '../../../../domain/editor/text/base64';
import type { PendingOperation } from '../replica/pending-operation';

const hasSameTargets = (one: Operation, other: Operation): boolean =>
  one.targetIds.length === other.targetIds.length && one.targetIds.every((id, index) => id === other.targetIds[index]);

const isSameTransaction = (one: Operation, other: Operation): boolean =>
  one.undoGroupId !== undefined &&
  one.undoGroupId === other.undoGroupId &&
  one.baseVersion === other.baseVersion &&
  one.inverseOf === undefined &&
  other.inverseOf === undefined &&
  one.atomicGroup === other.atomicGroup;

const without = (names: readonly string[], set: PropertyPatch['set']): readonly string[] =>
  names.filter((name) => set === undefined || !Object.hasOwn(set, name));

/**
 * Setting `style` removes `style.fill` and not the other way round, so patches of nested names depend on their order.
 */
const overlaps = (earlier: PropertyPatch, later: PropertyPatch): boolean => {
  const names = [...Object.keys(earlier.set ?? {}), ...(earlier.unset ?? [])];
  const next = [...Object.keys(later.set ?? {}), ...(later.unset ?? [])];
  return names.some((name) => next.some((one) => one.startsWith(`${name}.`) || name.startsWith(`${one}.`)));
};

const mergePatches = (earlier: PropertyPatch, later: PropertyPatch): PropertyPatch => {
  const unset = [...new Set([...without(earlier.unset ?? [], later.set), ...(later.unset ?? [])])];
  // Within one patch, `unset` applies before `set`.
  const isSet = (name: string): boolean => !(later.unset ?? []).includes(name) || Object.hasOwn(later.set ?? {}, name);
  const written = Object.entries({ ...earlier.set, ...later.set });
  const set = Object.fromEntries(written.filter(([name]) => isSet(name)));
  return { set, ...(unset.length === 0 ? {} : { unset }) };
};

const mergeSetPayloads = (one: Payload<'setProperties'>, other: Payload<'setProperties'>): unknown => {
  const [earlier, later] = [one.nodes, other.nodes];
  // One patch for all targets.
  if (earlier === undefined && later === undefined) return overlaps(one, other) ? undefined : mergePatches(one, other);
  if (earlier === undefined || later === undefined) return undefined;
  const known = new Map<string, PropertyPatch>(Object.entries(earlier));
  const pairs = Object.entries(later).map(([id, written]) => [id, known.get(id) ?? {}, written] as const);
  if (pairs.some(([, before, after]) => overlaps(before, after))) return undefined;
  return { nodes: Object.fromEntries(pairs.map(([id, before, after]) => [id, mergePatches(before, after)])) };
};

const mergeTextPayloads = (one: Payload<'textOperation'>, other: Payload<'textOperation'>): unknown => {
  const updates = [one.update, other.update].map((update) => decodeBase64(update) ?? new Uint8Array());
  return { update: encodeBase64(mergeUpdates(updates)) };
};

const mergePayloads = (one: Operation, other: Operation): unknown => {
  if (one.type !== other.type) return undefined;
  if (one.type === 'transformNodes') return other.payload;
  if (one.type === 'setProperties')
    return mergeSetPayloads(one.payload as Payload<'setProperties'>, other.payload as Payload<'setProperties'>);
  if (one.type === 'textOperation')
    return mergeTextPayloads(one.payload as Payload<'textOperation'>, other.payload as Payload<'textOperation'>);
  return undefined;
};

/** Merges an unsent operation with the next one; undefined if they cannot be merged. */
export const coalesce = (last: PendingOperation | undefined, next: Operation): Operation | undefined => {
  const before = last?.operation;
  if (last === undefined || before === undefined || last.isSent || !isSameTransaction(before, next)) return undefined;
  if (last.clientId !== next.opId.slice(0, last.clientId.length) || !hasSameTargets(before, next)) return undefined;
  const payload = mergePayloads(before, next);
  return payload === undefined ? undefined : { ...before, payload };
};
