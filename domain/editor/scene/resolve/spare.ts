/** Deletes what is named and nothing else: what lies below moves to what is left above, and is seen where it was. */
import type { NodeId } from '../../ids';
import { limits } from '../../limits';
import type { Operation } from '../../operation';
import type { OutcomeReason } from '../../outcome';
import { childrenOf, nodeOf, type Scene, siblingsOf } from '../scene';
import { depthOf } from '../tree';
import { isRecord } from '../values';
import { done, type Resolution, type ResolveContext, rejected } from './context';
import { resolveMove } from './move';

const leftAbove = (scene: Scene, id: NodeId, named: ReadonlySet<NodeId>): NodeId | null => {
  let at: NodeId | null = id;
  while (at !== null && named.has(at)) at = nodeOf(scene, at)?.parentId ?? null;
  return at;
};

/** Before any is looked at: there may be hundreds of thousands, and each is moved. */
const areTooMany = (scene: Scene, named: ReadonlySet<NodeId>): boolean => {
  let children = 0;
  for (const id of named) children += siblingsOf(scene, id).size;
  return children > limits.targets + named.size;
};

const others = (scene: Scene, named: ReadonlySet<NodeId>): readonly NodeId[] =>
  [...named].flatMap((id) => [...childrenOf(scene, id)].filter((child) => !named.has(child)));

interface Told {
  readonly context: ResolveContext;
  readonly reason: OutcomeReason | undefined;
}

const movesOf = (scene: Scene, operation: Operation, named: ReadonlySet<NodeId>): Operation => {
  const moves = others(scene, named).map((id) => {
    const { parentId = null, orderKey = '' } = nodeOf(scene, id) ?? {};
    return { id, parentId: parentId === null ? null : leftAbove(scene, parentId, named), orderKey };
  });
  return { ...operation, type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } };
};

/** Each before what it lies in. */
const deepestFirst = (scene: Scene, named: ReadonlySet<NodeId>): readonly NodeId[] => {
  const depths = [...named].map((id) => ({ id, depth: depthOf(scene, id) }));
  return depths.toSorted((left, right) => right.depth - left.depth).map(({ id }) => id);
};

export const spare = (scene: Scene, operation: Operation, { context, reason }: Told): Resolution => {
  const named = new Set(operation.targetIds);
  if (areTooMany(scene, named)) return rejected('too-large');
  const deleted = deepestFirst(scene, named);
  const moves = movesOf(scene, operation, named);
  if (moves.targetIds.length === 0) return done({ ...operation, payload: { deleted } }, [reason]);
  const moved = resolveMove(scene, moves, context);
  if (!('operation' in moved)) return rejected(moved.reason);
  const kept = isRecord(moved.operation.payload) ? moved.operation.payload : {};
  return done({ ...operation, payload: { ...kept, deleted } }, [reason]);
};
