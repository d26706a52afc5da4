/** Each node gets its transform; one that was meant in the space of a parent that it left since is said in the present one's. */
import { NodeId } from '../../ids';
import { limits } from '../../limits';
import { type Operation, Transform } from '../../operation';
import { nodeOf, type Scene } from '../scene';
import { asMeant } from '../spaces';
import { isRecord, isSame } from '../values';
import { done, knowledgeOf, nothingLeft, partly, type Resolution, type ResolveContext, rejected } from './context';

type Transforms = ReadonlyMap<NodeId, readonly number[]>;

const read = ({ payload }: Operation): Transforms | undefined => {
  if (!isRecord(payload) || !isRecord(payload.transforms)) return undefined;
  const transforms = new Map<NodeId, readonly number[]>();
  for (const [id, transform] of Object.entries(payload.transforms)) {
    if (!NodeId.is(id) || !Transform.is(transform)) return undefined;
    transforms.set(id, transform);
  }
  return transforms;
};

export const resolveTransform = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const asked = read(operation);
  if (asked === undefined) return rejected('malformed');
  if (asked.size > limits.targets) return rejected('too-large');
  const transforms: { [id: string]: readonly number[] } = {};
  const targetIds: NodeId[] = [];
  let changed = false;
  let moved = false;
  for (const [id, transform] of asked) {
    const node = nodeOf(scene, id);
    if (node === undefined) continue;
    const meant = asMeant(scene, node, { transform, known: knowledgeOf(operation, context) });
    moved ||= meant !== transform;
    changed ||= !isSame(meant, node.properties.transform);
    transforms[id] = meant;
    targetIds.push(id);
  }
  const gone = asked.size - targetIds.length;
  if (!changed) return nothingLeft(gone);
  const resolved = { ...operation, targetIds, payload: { transforms } };
  return done(resolved, [partly(gone), moved ? 'space-changed' : undefined]);
};
