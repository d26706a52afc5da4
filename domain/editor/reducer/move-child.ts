/**
 * Resolves `moveChild`: parent, order and transform change together. All moves or none, because they may depend on
 * each other.
 */
import { isRenderedWithin } from '../components/component-links';
import { NodeId, OrderKey } from '../ids';
import { limits } from '../limits';
import { type Move, type Operation, Transform } from '../operation';
import type { OutcomeReason } from '../outcome';
import { convertTransform, localTransform, worldTransform } from '../scene/coordinate-space';
import { isJsonEqual, isRecord, type JsonFault } from '../scene/json';
import { moveNode } from '../scene/nodes/node';
import { getNode, type Scene, type SceneNode } from '../scene/scene';
import { depthOf, heightOf, isSelfOrDescendant } from '../scene/tree';
import { budgetFault, fullBudget } from '../scene/work-budget';
import {
  allocateOrderKey,
  applyReorder,
  currentOrderKey,
  type ReorderState,
  reorderedKeys,
} from './order-key-allocation';
import {
  droppedAsNoOp,
  partlyDeletedReason,
  type Resolution,
  type ResolveContext,
  rejected,
  resolvedAs,
} from './resolution';
import { rollBack, setNodeJournaled } from './rollback-journal';

interface MoveState extends ReorderState {
  readonly context: ResolveContext;
  readonly moves: Move[];
  isKeyAdjusted: boolean;
  missing: number;
}

const checkParent = (
  { scene, budget }: MoveState,
  node: SceneNode,
  parentId: NodeId | null,
): OutcomeReason | undefined => {
  if (parentId === null || parentId === node.parentId) return undefined;
  if (getNode(scene, parentId) === undefined) return 'parent-deleted';
  if (isSelfOrDescendant(scene, parentId, node.id)) return 'cycle';
  return depthOf(scene, parentId) + 1 + heightOf(scene, node.id, budget) > limits.depth ? 'too-deep' : undefined;
};

/** Without a transform in the request, the node keeps its position on the canvas. */
const resolveTransform = (moving: MoveState, node: SceneNode, move: Move): Partial<Move> => {
  if (move.parentId === node.parentId) return move.transform === undefined ? {} : { transform: move.transform };
  const fromSpace = worldTransform(moving.scene, node.parentId);
  const before = localTransform(node);
  const transform = move.transform ?? convertTransform(before, fromSpace, worldTransform(moving.scene, move.parentId));
  const isUnchanged = move.transform === undefined && transform === before;
  return { ...(isUnchanged ? {} : { transform }), fromSpace, by: moving.context.clientId };
};

const moveOne = (moving: MoveState, request: Move): OutcomeReason | undefined => {
  const { scene } = moving;
  const node = getNode(scene, request.id);
  if (node === undefined) {
    moving.missing += 1;
    return undefined;
  }
  const fault = checkParent(moving, node, request.parentId);
  if (fault !== undefined) return fault;
  const placed = allocateOrderKey(scene, request.parentId, request);
  if (placed === undefined) return 'order-key-taken';
  const { id, parentId } = request;
  const move: Move = { id, parentId, orderKey: placed.orderKey, ...resolveTransform(moving, node, request) };
  if (!applyReorder(moving, placed)) return 'too-large';
  setNodeJournaled(scene, moving.journal, { id, node: moveNode(node, { ...move }, moving.context.version) });
  if (parentId !== node.parentId && isRenderedWithin(scene, { start: id, goal: id }, moving.budget))
    return 'component-cycle';
  moving.isKeyAdjusted ||= placed.orderKey !== request.orderKey;
  if (isMoved(node, move) || placed.reordered.length > 0) moving.moves.push(move);
  return budgetFault(moving);
};

const isMoved = (node: SceneNode, { parentId, orderKey, transform }: Move): boolean =>
  parentId !== node.parentId ||
  orderKey !== node.orderKey ||
  (transform !== undefined && !isJsonEqual(transform, node.properties.transform));

const resolvedMoves = (moving: MoveState, operation: Operation): Operation => {
  const moves = moving.moves.map((move) => ({
    ...move,
    orderKey: currentOrderKey(moving.scene, move.id, move.orderKey),
  }));
  const targetIds = moves.map(({ id }) => id);
  return { ...operation, targetIds, payload: { moves, ...reorderedKeys(moving, new Set(targetIds)) } };
};

export const resolveMove = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const requests = decodeMoves(operation.payload);
  if (typeof requests === 'string') return rejected(requests);
  const moving: MoveState = {
    scene,
    context,
    journal: [],
    reordered: new Set<NodeId>(),
    moves: [],
    budget: fullBudget(),
    isKeyAdjusted: false,
    missing: 0,
  };
  let fault: OutcomeReason | undefined;
  for (const move of requests) fault ??= moveOne(moving, move);
  const resolved = resolvedMoves(moving, operation);
  rollBack(scene, moving.journal);
  if (fault !== undefined) return rejected(fault);
  if (moving.moves.length === 0) return droppedAsNoOp(moving.missing);
  return resolvedAs(resolved, [
    partlyDeletedReason(moving.missing),
    moving.isKeyAdjusted ? 'order-key-taken' : undefined,
  ]);
};

const decodeMove = (value: unknown): Move | undefined => {
  if (!isRecord(value)) return undefined;
  const { id, parentId, orderKey, transform } = value;
  if (!NodeId.is(id) || !(parentId === null || NodeId.is(parentId)) || !OrderKey.is(orderKey)) return undefined;
  if (transform === undefined) return { id, parentId, orderKey };
  return Transform.is(transform) ? { id, parentId, orderKey, transform } : undefined;
};

const decodeMoves = (payload: unknown): readonly Move[] | JsonFault => {
  if (!isRecord(payload) || !Array.isArray(payload.moves)) return 'malformed';
  if (payload.moves.length > limits.targets) return 'too-large';
  const moves = payload.moves.map(decodeMove).filter((move) => move !== undefined);
  const isWhole = moves.length === payload.moves.length && new Set(moves.map(({ id }) => id)).size === moves.length;
  return isWhole ? moves : 'malformed';
};
