/** Computes the inverse of an operation in the current scene, limited to what the operation changed. */
import type { NodeId, OrderKey } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import type { Move, NewNode, Operation, Payload, PropertyPatch } from '../../../../domain/editor/operation';
import { convertTransform, worldTransform } from '../../../../domain/editor/scene/coordinate-space';
import { isJsonEqual } from '../../../../domain/editor/scene/json';
import { getNode, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';
import { plainText, textFromPlain } from '../../../../domain/editor/text/text-content';
import { type TextState, textBase64 } from '../../../../domain/editor/text/text-state';
import type { OperationDraft } from '../edit/id-allocator';
import { splitNodes } from '../edit/split-edits';
import { restoreTargetOf, type UndoContext } from './before-images';

const living = (scene: Scene, ids: readonly NodeId[]): readonly NodeId[] =>
  ids.filter((id) => getNode(scene, id) !== undefined);

/** Does not delete children that others added: they move to an existing ancestor and stay in place on the canvas. */
const inverseOfCreate = ({ scene }: UndoContext, { nodes }: Payload<'createNode'>): readonly OperationDraft[] => {
  const targetIds = living(
    scene,
    nodes.map(({ id }) => id),
  );
  return targetIds.length === 0 ? [] : [{ type: 'deleteNode', targetIds, payload: { onlyNamed: true } }];
};

const namesOf = (before: SceneNode, { set, unset = [] }: PropertyPatch): readonly string[] => {
  const isUnset = (name: string): boolean => unset.some((one) => name === one || name.startsWith(`${one}.`));
  return [...new Set([...Object.keys(set ?? {}), ...Object.keys(before.properties).filter(isUnset)])];
};

const previousValues = (before: SceneNode, names: readonly string[]): PropertyPatch => {
  const was = names.filter((name) => Object.hasOwn(before.properties, name));
  return {
    set: Object.fromEntries(was.map((name) => [name, before.properties[name]])),
    unset: names.filter((name) => !Object.hasOwn(before.properties, name)),
  };
};

const setPropertiesDraft = (nodes: { readonly [id: string]: PropertyPatch }): readonly OperationDraft[] => {
  const targetIds = Object.keys(nodes) as NodeId[];
  return targetIds.length === 0 ? [] : [{ type: 'setProperties', targetIds, payload: { nodes } }];
};

const inverseOfSet = (context: UndoContext, operation: Operation): readonly OperationDraft[] => {
  const { scene, beforeImages } = context;
  const { nodes = {}, set = {}, unset = [] } = operation.payload as Payload<'setProperties'>;
  const own = new Map<string, PropertyPatch>(Object.entries(nodes));
  const back: { [id: string]: PropertyPatch } = {};
  for (const id of living(scene, operation.targetIds)) {
    const before = beforeImages.get(id);
    const one = own.get(id);
    const written = { set: { ...set, ...one?.set }, unset: [...unset, ...(one?.unset ?? [])] };
    if (before === undefined) continue;
    const names = namesOf(before, written).filter((name) =>
      mayRestoreProperty(context, { id, name, written: written.set[name] }),
    );
    if (names.length > 0) back[id] = previousValues(before, names);
  }
  return setPropertiesDraft(back);
};

/** Converted if the node has another parent now. */
const previousTransform = (scene: Scene, now: SceneNode, before: SceneNode): readonly number[] | undefined => {
  const transform = before.properties.transform as readonly number[] | undefined;
  const isElsewhere = now.parentId !== before.parentId && before.parentId !== null;
  if (transform === undefined || (isElsewhere && getNode(scene, before.parentId as NodeId) === undefined))
    return transform;
  return convertTransform(transform, worldTransform(scene, before.parentId), worldTransform(scene, now.parentId));
};

const inverseOfTransform = (context: UndoContext, { targetIds, payload }: Operation): readonly OperationDraft[] => {
  const { scene, beforeImages } = context;
  const { transforms: written } = payload as Payload<'transformNodes'>;
  const transforms: { [id: string]: readonly number[] } = {};
  const bare: { [id: string]: PropertyPatch } = {};
  for (const id of living(scene, targetIds)) {
    const [now, before] = [getNode(scene, id), beforeImages.get(id)];
    if (now === undefined || before === undefined) continue;
    if (!mayRestoreProperty(context, { id, name: 'transform', written: written[id] })) continue;
    const back = previousTransform(scene, now, before);
    if (back === undefined) bare[id] = { unset: ['transform'] };
    else transforms[id] = back;
  }
  const ids = Object.keys(transforms) as NodeId[];
  const moved: readonly OperationDraft[] =
    ids.length === 0 ? [] : [{ type: 'transformNodes', targetIds: ids, payload: { transforms } }];
  return [...moved, ...setPropertiesDraft(bare)];
};

const inverseOfMove = (context: UndoContext, { payload }: Operation): readonly OperationDraft[] => {
  const { scene, beforeImages, previousParents } = context;
  const moves: Move[] = [];
  for (const move of (payload as Payload<'moveChild'>).moves.toReversed()) {
    const { id } = move;
    const before = beforeImages.get(id);
    if (before === undefined || getNode(scene, id) === undefined || !mayRestorePosition(context, move)) continue;
    const { parentId, transform } = restoreTargetOf(scene, previousParents, before);
    const there = Array.isArray(transform) ? { transform } : {};
    moves.push({ id, parentId, orderKey: before.orderKey as OrderKey, ...there });
  }
  return moves.length === 0 ? [] : [{ type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } }];
};

/** Also moves back the children that the deletion moved to another parent. */
const inverseOfDelete = (context: UndoContext, { payload }: Operation): readonly OperationDraft[] => {
  const ids = [...((payload as Payload<'deleteNode'>).deleted ?? [])].reverse();
  const gone = new Set(ids);
  const moves: Move[] = [];
  for (const [id, before] of context.beforeImages) {
    if (before === undefined || before.parentId === null || gone.has(id) || !gone.has(before.parentId)) continue;
    if (getNode(context.scene, id) === undefined) continue;
    const { transform } = before.properties;
    const there = Array.isArray(transform) ? { transform } : {};
    moves.push({ id, parentId: before.parentId, orderKey: before.orderKey as OrderKey, ...there });
  }
  const again = recreateNodes(context, ids);
  if (moves.length === 0) return again;
  return [...again, { type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } }];
};

/** In the order to perform; `inverseOf` is set by the caller. */
export const inverseOperations = (context: UndoContext, operation: Operation): readonly OperationDraft[] => {
  switch (operation.type) {
    case 'createNode':
      return inverseOfCreate(context, operation.payload as Payload<'createNode'>);
    case 'deleteNode':
      return inverseOfDelete(context, operation);
    case 'setProperties':
      return inverseOfSet(context, operation);
    case 'transformNodes':
      return inverseOfTransform(context, operation);
    case 'moveChild':
      return inverseOfMove(context, operation);
    case 'textOperation':
    case 'restoreVersion':
      return [];
  }
};

/** A text with a history too large to send is recreated without it. */
const maxTextHistory = Math.min(400_000, limits.textState);

const restoredText = (text: TextState): string => {
  const whole = textBase64(text);
  return whole.length <= maxTextHistory ? whole : textBase64(textFromPlain(plainText(text)));
};

const recreateNode = (context: UndoContext, before: SceneNode, isWithin: boolean): NewNode => {
  const { id, type, text, properties } = before;
  const { scene, previousParents } = context;
  const { parentId, ancestors, transform } = isWithin
    ? { parentId: before.parentId, ancestors: [], transform: properties.transform }
    : restoreTargetOf(scene, previousParents, before);
  return {
    id,
    type,
    parentId,
    orderKey: before.orderKey as OrderKey,
    properties: transform === undefined ? { ...properties } : { ...properties, transform },
    ...(text === undefined ? {} : { text: restoredText(text) }),
    // Used if the parent is deleted before the operation is committed.
    ...(isWithin || parentId === null ? {} : { ancestors: [...ancestors], space: worldTransform(scene, parentId) }),
  };
};

/** Parents first. */
const recreateNodes = (context: UndoContext, ids: readonly NodeId[]): readonly OperationDraft[] => {
  const lost = ids.filter((id) => getNode(context.scene, id) === undefined);
  const together = new Set(lost);
  const nodes = lost.flatMap((id): NewNode[] => {
    const before = context.beforeImages.get(id);
    if (before === undefined) return [];
    return [recreateNode(context, before, before.parentId !== null && together.has(before.parentId))];
  });
  return splitNodes(nodes).map(
    (portion): OperationDraft => ({
      type: 'createNode',
      targetIds: portion.map(({ id }) => id),
      payload: { nodes: [...portion] },
    }),
  );
};

/** `written` is undefined if the operation removed the property. */
const mayRestoreProperty = (
  { scene, isConditional }: UndoContext,
  { id, name, written }: { readonly id: NodeId; readonly name: string; readonly written: unknown },
): boolean => {
  if (!isConditional) return true;
  const { properties } = getNode(scene, id) ?? {};
  const isThere = properties !== undefined && Object.hasOwn(properties, name);
  return isThere ? isJsonEqual(properties[name], written) : written === undefined;
};

const mayRestorePosition = ({ scene, isConditional }: UndoContext, { id, parentId, orderKey }: Move): boolean => {
  const now = getNode(scene, id);
  return !isConditional || (now?.parentId === parentId && now.orderKey === orderKey);
};
