/**
 * Resolves `transformNodes`: a transform that was meant in a previous parent's space is converted to the current
 * one's.
 */
import { NodeId } from '../ids';
import { limits } from '../limits';
import { type Operation, Transform } from '../operation';
import { rebaseTransform } from '../scene/coordinate-space';
import { isJsonEqual, isRecord } from '../scene/json';
import { getNode, type Scene } from '../scene/scene';
import {
  causalContextOf,
  droppedAsNoOp,
  partlyDeletedReason,
  type Resolution,
  type ResolveContext,
  rejected,
  resolvedAs,
} from './resolution';

type Transforms = ReadonlyMap<NodeId, readonly number[]>;

const decodeTransforms = ({ payload }: Operation): Transforms | undefined => {
  if (!isRecord(payload) || !isRecord(payload.transforms)) return undefined;
  const transforms = new Map<NodeId, readonly number[]>();
  for (const [id, transform] of Object.entries(payload.transforms)) {
    if (!NodeId.is(id) || !Transform.is(transform)) return undefined;
    transforms.set(id, transform);
  }
  return transforms;
};

export const resolveTransform = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const requested = decodeTransforms(operation);
  if (requested === undefined) return rejected('malformed');
  if (requested.size > limits.targets) return rejected('too-large');
  const transforms: { [id: string]: readonly number[] } = {};
  const targetIds: NodeId[] = [];
  let changed = false;
  let moved = false;
  for (const [id, transform] of requested) {
    const node = getNode(scene, id);
    if (node === undefined) continue;
    const meant = rebaseTransform(scene, node, { transform, known: causalContextOf(operation, context) });
    moved ||= meant !== transform;
    changed ||= !isJsonEqual(meant, node.properties.transform);
    transforms[id] = meant;
    targetIds.push(id);
  }
  const gone = requested.size - targetIds.length;
  if (!changed) return droppedAsNoOp(gone);
  const resolved = { ...operation, targetIds, payload: { transforms } };
  return resolvedAs(resolved, [partlyDeletedReason(gone), moved ? 'space-changed' : undefined]);
};
