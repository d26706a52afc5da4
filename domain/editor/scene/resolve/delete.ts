/** What is deleted takes everything below with it; all of it is recorded. */
import type { NodeId } from '../../ids';
import { limits } from '../../limits';
import type { Operation } from '../../operation';
import type { OutcomeReason } from '../../outcome';
import { nodeOf, type Scene } from '../scene';
import { bottomUp } from '../tree';
import { isRecord } from '../values';
import { done, nothingLeft, partly, type Resolution, type ResolveContext, rejected } from './context';
import { spare } from './spare';

const isBelowAnother = (scene: Scene, id: NodeId, deleted: ReadonlySet<NodeId>): boolean => {
  const parentId = nodeOf(scene, id)?.parentId ?? null;
  return parentId !== null && deleted.has(parentId);
};

/** Each child before its parent, those of all targets. */
const belowAll = (scene: Scene, targets: readonly NodeId[]): readonly NodeId[] | undefined => {
  const deleted = new Set<NodeId>();
  for (const id of targets) {
    if (deleted.has(id)) continue;
    for (const below of bottomUp(scene, id, limits.deleted + 1)) deleted.add(below);
    if (deleted.size > limits.deleted) return undefined;
  }
  const tops = [...deleted].filter((id) => !isBelowAnother(scene, id, deleted));
  return tops.flatMap((id) => bottomUp(scene, id, limits.deleted));
};

export const resolveDelete = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const targets = [...new Set(operation.targetIds)];
  const living = targets.filter((id) => nodeOf(scene, id) !== undefined);
  const reason: OutcomeReason | undefined = partly(targets.length - living.length);
  if (living.length === 0) return nothingLeft(targets.length);
  if (isRecord(operation.payload) && operation.payload.onlyNamed === true)
    return spare(scene, { ...operation, targetIds: living }, { context, reason });
  const deleted = belowAll(scene, living);
  return deleted === undefined
    ? rejected('too-large')
    : done({ ...operation, targetIds: living, payload: { deleted } }, [reason]);
};
