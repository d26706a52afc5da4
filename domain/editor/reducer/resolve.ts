/**
 * The reducer's rules: resolves an operation against the current scene, which is unchanged afterwards. Malformed
 * input is rejected and never throws.
 */
import { limits } from '../limits';
import { type Operation, payloadCodecs } from '../operation';
import { isRecord } from '../scene/json';
import type { Scene } from '../scene/scene';
import { resolveCreate } from './create-node';
import { resolveDelete } from './delete-node';
import { resolveMove } from './move-child';
import { type Resolution, type ResolveContext, rejected, resolvedAs } from './resolution';
import { exceedsSchema } from './schema-check';
import { resolveSet } from './set-properties';
import { resolveText } from './text-operation';
import { resolveTransform } from './transform-nodes';

export type { Resolution, ResolveContext } from './resolution';

const resolveByType = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  switch (operation.type) {
    case 'createNode':
      return resolveCreate(scene, operation, context);
    case 'deleteNode':
      return resolveDelete(scene, operation, context);
    case 'setProperties':
      return resolveSet(scene, operation, context);
    case 'transformNodes':
      return resolveTransform(scene, operation, context);
    case 'moveChild':
      return resolveMove(scene, operation, context);
    case 'textOperation':
      return resolveText(scene, operation);
    case 'restoreVersion':
      return resolveRestore(operation, context);
  }
};

export const resolve = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  if (!isRecord(operation.payload)) return rejected('malformed');
  if (operation.targetIds.length > limits.targets) return rejected('too-large');
  const fault = operation.inverseOf === undefined ? undefined : context.inverse?.(operation.inverseOf);
  if (fault !== undefined) return rejected(fault);
  if (exceedsSchema(operation, context.schema)) return rejected('schema-too-old');
  // After a backup was restored, a client may remember versions that no longer exist.
  const baseVersion = Math.min(operation.baseVersion, context.version - 1);
  return resolveByType(scene, { ...operation, baseVersion, actorId: context.actorId }, context);
};

/** Checks only that the version existed; the owner loads its scene. */

const { restoreVersion } = payloadCodecs;

const resolveRestore = (operation: Operation, context: ResolveContext): Resolution => {
  const { payload } = operation;
  const request = { version: isRecord(payload) ? payload.version : undefined };
  if (!restoreVersion.is(request)) return rejected('malformed');
  if (request.version >= context.version) return rejected('version-unknown');
  return resolvedAs({ ...operation, targetIds: [], payload: { version: request.version } });
};
