/** Resolves `deleteNode`; the committed operation lists every deleted node. */
import type { NodeId } from '../ids';
import { limits } from '../limits';
import type { Operation } from '../operation';
import type { OutcomeReason } from '../outcome';
import { isRecord } from '../scene/json';
import { childIds, getNode, type Scene, siblingsOf } from '../scene/scene';
import { depthOf, subtreePostOrder } from '../scene/tree';
import { resolveMove } from './move-child';
import {
  droppedAsNoOp,
  partlyDeletedReason,
  type Resolution,
  type ResolveContext,
  rejected,
  resolvedAs,
} from './resolution';

const hasDeletedParent = (scene: Scene, id: NodeId, deleted: ReadonlySet<NodeId>): boolean => {
  const parentId = getNode(scene, id)?.parentId ?? null;
  return parentId !== null && deleted.has(parentId);
};

/** Subtrees of all targets, children before parents. */
const subtreesPostOrder = (scene: Scene, targets: readonly NodeId[]): readonly NodeId[] | undefined => {
  const deleted = new Set<NodeId>();
  for (const id of targets) {
    if (deleted.has(id)) continue;
    for (const below of subtreePostOrder(scene, id, limits.deleted + 1)) deleted.add(below);
    if (deleted.size > limits.deleted) return undefined;
  }
  const tops = [...deleted].filter((id) => !hasDeletedParent(scene, id, deleted));
  return tops.flatMap((id) => subtreePostOrder(scene, id, limits.deleted));
};

export const resolveDelete = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const targets = [...new Set(operation.targetIds)];
  const living = targets.filter((id) => getNode(scene, id) !== undefined);
  const reason: OutcomeReason | undefined = partlyDeletedReason(targets.length - living.length);
  if (living.length === 0) return droppedAsNoOp(targets.length);
  if (isRecord(operation.payload) && operation.payload.onlyNamed === true)
    return resolveDeleteNamedOnly(scene, { ...operation, targetIds: living }, { context, reason });
  const deleted = subtreesPostOrder(scene, living);
  return deleted === undefined
    ? rejected('too-large')
    : resolvedAs({ ...operation, targetIds: living, payload: { deleted } }, [reason]);
};

/**
 * Deletes only the named nodes. Their other children move to the nearest remaining ancestor and keep their place on
 * the canvas.
 */

const nearestRemainingAncestor = (scene: Scene, id: NodeId, named: ReadonlySet<NodeId>): NodeId | null => {
  let at: NodeId | null = id;
  while (at !== null && named.has(at)) at = getNode(scene, at)?.parentId ?? null;
  return at;
};

/** Checked first, because a node may have hundreds of thousands of children. */
const hasTooManyChildren = (scene: Scene, named: ReadonlySet<NodeId>): boolean => {
  let children = 0;
  for (const id of named) children += siblingsOf(scene, id).size;
  return children > limits.targets + named.size;
};

const remainingChildren = (scene: Scene, named: ReadonlySet<NodeId>): readonly NodeId[] =>
  [...named].flatMap((id) => [...childIds(scene, id)].filter((child) => !named.has(child)));

interface DeleteContext {
  readonly context: ResolveContext;
  readonly reason: OutcomeReason | undefined;
}

const moveRemainingChildren = (scene: Scene, operation: Operation, named: ReadonlySet<NodeId>): Operation => {
  const moves = remainingChildren(scene, named).map((id) => {
    const { parentId = null, orderKey = '' } = getNode(scene, id) ?? {};
    return { id, parentId: parentId === null ? null : nearestRemainingAncestor(scene, parentId, named), orderKey };
  });
  return { ...operation, type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } };
};

/** Descendants before ancestors. */
const deepestFirst = (scene: Scene, named: ReadonlySet<NodeId>): readonly NodeId[] => {
  const depths = [...named].map((id) => ({ id, depth: depthOf(scene, id) }));
  return depths.toSorted((left, right) => right.depth - left.depth).map(({ id }) => id);
};

const resolveDeleteNamedOnly = (scene: Scene, operation: Operation, { context, reason }: DeleteContext): Resolution => {
  const named = new Set(operation.targetIds);
  if (hasTooManyChildren(scene, named)) return rejected('too-large');
  const deleted = deepestFirst(scene, named);
  const moves = moveRemainingChildren(scene, operation, named);
  if (moves.targetIds.length === 0) return resolvedAs({ ...operation, payload: { deleted } }, [reason]);
  const moved = resolveMove(scene, moves, context);
  if (!('operation' in moved)) return rejected(moved.reason);
  const resolved = isRecord(moved.operation.payload) ? moved.operation.payload : {};
  return resolvedAs({ ...operation, payload: { ...resolved, deleted } }, [reason]);
};
