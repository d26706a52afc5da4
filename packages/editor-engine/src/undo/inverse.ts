/** What takes an operation back, of what it touched and nothing else, made from what is there now. */
import type { NodeId, OrderKey } from '../../../../domain/editor/ids';
import type { Move, Operation, Payload, Written } from '../../../../domain/editor/operation';
import { nodeOf, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';
import { inOtherSpace, spaceOf } from '../../../../domain/editor/scene/spaces';
import type { Draft } from '../edit/author';
import { againDrafts } from './again';
import { placeOf, type Undoing } from './before';
import { mayMoveBack, mayTakeBack } from './still-there';

const living = (scene: Scene, ids: readonly NodeId[]): readonly NodeId[] =>
  ids.filter((id) => nodeOf(scene, id) !== undefined);

/** What others put into it meanwhile is theirs: it moves up, and stays where it is seen. */
const unmake = ({ scene }: Undoing, { nodes }: Payload<'createNode'>): readonly Draft[] => {
  const targetIds = living(
    scene,
    nodes.map(({ id }) => id),
  );
  return targetIds.length === 0 ? [] : [{ type: 'deleteNode', targetIds, payload: { onlyNamed: true } }];
};

const namesOf = (before: SceneNode, { set, unset = [] }: Written): readonly string[] => {
  const isUnset = (name: string): boolean => unset.some((one) => name === one || name.startsWith(`${one}.`));
  return [...new Set([...Object.keys(set ?? {}), ...Object.keys(before.properties).filter(isUnset)])];
};

const unwritten = (before: SceneNode, names: readonly string[]): Written => {
  const was = names.filter((name) => Object.hasOwn(before.properties, name));
  return {
    set: Object.fromEntries(was.map((name) => [name, before.properties[name]])),
    unset: names.filter((name) => !Object.hasOwn(before.properties, name)),
  };
};

const setBack = (nodes: { readonly [id: string]: Written }): readonly Draft[] => {
  const targetIds = Object.keys(nodes) as NodeId[];
  return targetIds.length === 0 ? [] : [{ type: 'setProperties', targetIds, payload: { nodes } }];
};

const unwrite = (undoing: Undoing, operation: Operation): readonly Draft[] => {
  const { scene, befores } = undoing;
  const { nodes = {}, set = {}, unset = [] } = operation.payload as Payload<'setProperties'>;
  const own = new Map<string, Written>(Object.entries(nodes));
  const back: { [id: string]: Written } = {};
  for (const id of living(scene, operation.targetIds)) {
    const before = befores.get(id);
    const one = own.get(id);
    const written = { set: { ...set, ...one?.set }, unset: [...unset, ...(one?.unset ?? [])] };
    if (before === undefined) continue;
    const names = namesOf(before, written).filter((name) => mayTakeBack(undoing, [id, name], written.set[name]));
    if (names.length > 0) back[id] = unwritten(before, names);
  }
  return setBack(back);
};

/** Where it was seen, if it has another parent by now. */
const transformBack = (scene: Scene, now: SceneNode, before: SceneNode): readonly number[] | undefined => {
  const transform = before.properties.transform as readonly number[] | undefined;
  const isElsewhere = now.parentId !== before.parentId && before.parentId !== null;
  if (transform === undefined || (isElsewhere && nodeOf(scene, before.parentId as NodeId) === undefined))
    return transform;
  return inOtherSpace(transform, spaceOf(scene, before.parentId), spaceOf(scene, now.parentId));
};

const untransform = (undoing: Undoing, { targetIds, payload }: Operation): readonly Draft[] => {
  const { scene, befores } = undoing;
  const { transforms: written } = payload as Payload<'transformNodes'>;
  const transforms: { [id: string]: readonly number[] } = {};
  const bare: { [id: string]: Written } = {};
  for (const id of living(scene, targetIds)) {
    const [now, before] = [nodeOf(scene, id), befores.get(id)];
    if (now === undefined || before === undefined) continue;
    if (!mayTakeBack(undoing, [id, 'transform'], written[id])) continue;
    const back = transformBack(scene, now, before);
    if (back === undefined) bare[id] = { unset: ['transform'] };
    else transforms[id] = back;
  }
  const ids = Object.keys(transforms) as NodeId[];
  const moved: readonly Draft[] =
    ids.length === 0 ? [] : [{ type: 'transformNodes', targetIds: ids, payload: { transforms } }];
  return [...moved, ...setBack(bare)];
};

const unmove = (undoing: Undoing, { payload }: Operation): readonly Draft[] => {
  const { scene, befores, homes } = undoing;
  const moves: Move[] = [];
  for (const move of (payload as Payload<'moveChild'>).moves.toReversed()) {
    const { id } = move;
    const before = befores.get(id);
    if (before === undefined || nodeOf(scene, id) === undefined || !mayMoveBack(undoing, move)) continue;
    const { parentId, transform } = placeOf(scene, homes, before);
    const there = Array.isArray(transform) ? { transform } : {};
    moves.push({ id, parentId, orderKey: before.orderKey as OrderKey, ...there });
  }
  return moves.length === 0 ? [] : [{ type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } }];
};

/** With what had moved up when it went. */
const remake = (undoing: Undoing, { payload }: Operation): readonly Draft[] => {
  const ids = [...((payload as Payload<'deleteNode'>).deleted ?? [])].reverse();
  const gone = new Set(ids);
  const moves: Move[] = [];
  for (const [id, before] of undoing.befores) {
    if (before === undefined || before.parentId === null || gone.has(id) || !gone.has(before.parentId)) continue;
    if (nodeOf(undoing.scene, id) === undefined) continue;
    const { transform } = before.properties;
    const there = Array.isArray(transform) ? { transform } : {};
    moves.push({ id, parentId: before.parentId, orderKey: before.orderKey as OrderKey, ...there });
  }
  const again = againDrafts(undoing, ids);
  if (moves.length === 0) return again;
  return [...again, { type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } }];
};

/** In the order in which they are to be done; none of them names what it takes back yet. */
export const inversesOf = (undoing: Undoing, operation: Operation): readonly Draft[] => {
  switch (operation.type) {
    case 'createNode':
      return unmake(undoing, operation.payload as Payload<'createNode'>);
    case 'deleteNode':
      return remake(undoing, operation);
    case 'setProperties':
      return unwrite(undoing, operation);
    case 'transformNodes':
      return untransform(undoing, operation);
    case 'moveChild':
      return unmove(undoing, operation);
    case 'textOperation':
    case 'restoreVersion':
      return [];
  }
};
