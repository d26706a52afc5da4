/** Successive writes of the same nodes within one step are one, as long as nobody else knows of them: a slider sends where it ends. */
import { mergeUpdates } from 'yjs';
import type { Operation, Payload, Written } from '../../../../domain/editor/operation';
import { base64Of, bytesOf } from '../../../../domain/editor/text/base64';
import type { Pending } from '../scene/pending';

const sameTargets = (one: Operation, other: Operation): boolean =>
  one.targetIds.length === other.targetIds.length && one.targetIds.every((id, index) => id === other.targetIds[index]);

const isOneStep = (one: Operation, other: Operation): boolean =>
  one.undoGroupId !== undefined &&
  one.undoGroupId === other.undoGroupId &&
  one.baseVersion === other.baseVersion &&
  one.inverseOf === undefined &&
  other.inverseOf === undefined &&
  one.atomicGroup === other.atomicGroup;

const without = (names: readonly string[], set: Written['set']): readonly string[] =>
  names.filter((name) => set === undefined || !Object.hasOwn(set, name));

/** `style` set whole does away with what was set below it before, and the other way round it would not: order is meaning then. */
const overlaps = (earlier: Written, later: Written): boolean => {
  const names = [...Object.keys(earlier.set ?? {}), ...(earlier.unset ?? [])];
  const next = [...Object.keys(later.set ?? {}), ...(later.unset ?? [])];
  return names.some((name) => next.some((one) => one.startsWith(`${name}.`) || name.startsWith(`${one}.`)));
};

const writtenTogether = (earlier: Written, later: Written): Written => {
  const unset = [...new Set([...without(earlier.unset ?? [], later.set), ...(later.unset ?? [])])];
  // Within one write what is unset goes first.
  const stays = ([name]: [string, unknown]): boolean =>
    !(later.unset ?? []).includes(name) || Object.hasOwn(later.set ?? {}, name);
  const set = Object.fromEntries(Object.entries({ ...earlier.set, ...later.set }).filter(stays));
  return { set, ...(unset.length === 0 ? {} : { unset }) };
};

const setTogether = (one: Payload<'setProperties'>, other: Payload<'setProperties'>): unknown => {
  const [earlier, later] = [one.nodes, other.nodes];
  // The same for all targets.
  if (earlier === undefined && later === undefined)
    return overlaps(one, other) ? undefined : writtenTogether(one, other);
  if (earlier === undefined || later === undefined) return undefined;
  const known = new Map<string, Written>(Object.entries(earlier));
  const pairs = Object.entries(later).map(([id, written]) => [id, known.get(id) ?? {}, written] as const);
  if (pairs.some(([, before, after]) => overlaps(before, after))) return undefined;
  return { nodes: Object.fromEntries(pairs.map(([id, before, after]) => [id, writtenTogether(before, after)])) };
};

const typedTogether = (one: Payload<'textOperation'>, other: Payload<'textOperation'>): unknown => {
  const updates = [one.update, other.update].map((update) => bytesOf(update) ?? new Uint8Array());
  return { update: base64Of(mergeUpdates(updates)) };
};

const payloadOf = (one: Operation, other: Operation): unknown => {
  if (one.type !== other.type) return undefined;
  if (one.type === 'transformNodes') return other.payload;
  if (one.type === 'setProperties')
    return setTogether(one.payload as Payload<'setProperties'>, other.payload as Payload<'setProperties'>);
  if (one.type === 'textOperation')
    return typedTogether(one.payload as Payload<'textOperation'>, other.payload as Payload<'textOperation'>);
  return undefined;
};

/** Of one that may still be another, and the next one: what says both. Nothing where there is none. */
export const merged = (last: Pending | undefined, next: Operation): Operation | undefined => {
  const before = last?.operation;
  if (last === undefined || before === undefined || last.isSent || !isOneStep(before, next)) return undefined;
  if (last.clientId !== next.opId.slice(0, last.clientId.length) || !sameTargets(before, next)) return undefined;
  const payload = payloadOf(before, next);
  return payload === undefined ? undefined : { ...before, payload };
};
