/** Parent, order and transform are one. Several moves are all or nothing: they may depend on each other. */

import { isShownWithin } from '../../components/cycle';
import type { NodeId } from '../../ids';
import { limits } from '../../limits';
import type { Move, Operation } from '../../operation';
import type { OutcomeReason } from '../../outcome';
import { effortFault, fullEffort } from '../effort';
import { replace, takeBack } from '../journal';
import { movedBy } from '../made';
import { place } from '../place';
import { nodeOf, type Scene, type SceneNode } from '../scene';
import { inOtherSpace, spaceOf, transformOf } from '../spaces';
import { depthOf, heightOf, isWithin } from '../tree';
import { isSame } from '../values';
import { done, nothingLeft, partly, type Resolution, type ResolveContext, rejected } from './context';
import { readMoves } from './read-moves';
import { keyIn, makeRoom, type Room, reorderedIn } from './room';

interface Moving extends Room {
  readonly context: ResolveContext;
  readonly moves: Move[];
  nudged: boolean;
  gone: number;
}

const parentFault = (
  { scene, effort }: Moving,
  node: SceneNode,
  parentId: NodeId | null,
): OutcomeReason | undefined => {
  if (parentId === null || parentId === node.parentId) return undefined;
  if (nodeOf(scene, parentId) === undefined) return 'parent-deleted';
  if (isWithin(scene, parentId, node.id)) return 'cycle';
  return depthOf(scene, parentId) + 1 + heightOf(scene, node.id, effort) > limits.depth ? 'too-deep' : undefined;
};

/** Where it is seen stays the same, when nothing else was asked. */
const spacesOf = (moving: Moving, node: SceneNode, move: Move): Partial<Move> => {
  if (move.parentId === node.parentId) return move.transform === undefined ? {} : { transform: move.transform };
  const fromSpace = spaceOf(moving.scene, node.parentId);
  const before = transformOf(node);
  const transform = move.transform ?? inOtherSpace(before, fromSpace, spaceOf(moving.scene, move.parentId));
  const isKept = move.transform === undefined && transform === before;
  return { ...(isKept ? {} : { transform }), fromSpace, by: moving.context.clientId };
};

const settle = (moving: Moving, asked: Move): OutcomeReason | undefined => {
  const { scene } = moving;
  const node = nodeOf(scene, asked.id);
  if (node === undefined) {
    moving.gone += 1;
    return undefined;
  }
  const fault = parentFault(moving, node, asked.parentId);
  if (fault !== undefined) return fault;
  const placed = place(scene, asked.parentId, asked);
  if (placed === undefined) return 'order-key-taken';
  const { id, parentId } = asked;
  const move: Move = { id, parentId, orderKey: placed.orderKey, ...spacesOf(moving, node, asked) };
  if (!makeRoom(moving, placed)) return 'too-large';
  replace(scene, moving.journal, { id, node: movedBy(node, { ...move }, moving.context.version) });
  if (parentId !== node.parentId && isShownWithin(scene, { start: id, goal: id }, moving.effort))
    return 'component-cycle';
  moving.nudged ||= placed.orderKey !== asked.orderKey;
  if (isMoved(node, move) || placed.reordered.length > 0) moving.moves.push(move);
  return effortFault(moving);
};

const isMoved = (node: SceneNode, { parentId, orderKey, transform }: Move): boolean =>
  parentId !== node.parentId ||
  orderKey !== node.orderKey ||
  (transform !== undefined && !isSame(transform, node.properties.transform));

const settled = (moving: Moving, operation: Operation): Operation => {
  const moves = moving.moves.map((move) => ({ ...move, orderKey: keyIn(moving.scene, move.id, move.orderKey) }));
  const targetIds = moves.map(({ id }) => id);
  return { ...operation, targetIds, payload: { moves, ...reorderedIn(moving, new Set(targetIds)) } };
};

export const resolveMove = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const asked = readMoves(operation.payload);
  if (typeof asked === 'string') return rejected(asked);
  const moving: Moving = {
    ...{ scene, context, journal: [], reordered: new Set<NodeId>(), moves: [] },
    ...{ effort: fullEffort(), nudged: false, gone: 0 },
  };
  let fault: OutcomeReason | undefined;
  for (const move of asked) fault ??= settle(moving, move);
  const resolved = settled(moving, operation);
  takeBack(scene, moving.journal);
  if (fault !== undefined) return rejected(fault);
  if (moving.moves.length === 0) return nothingLeft(moving.gone);
  return done(resolved, [partly(moving.gone), moving.nudged ? 'order-key-taken' : undefined]);
};
