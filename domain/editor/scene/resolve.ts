/**
 * The rules: what becomes of what somebody asks, in the scene as it is now. The scene is as before afterwards, whatever is answered;
 * hostile input is refused and never thrown at.
 */
import { limits } from '../limits';
import type { Operation } from '../operation';
import { type Resolution, type ResolveContext, rejected } from './resolve/context';
import { resolveCreate } from './resolve/create';
import { resolveDelete } from './resolve/delete';
import { resolveMove } from './resolve/move';
import { resolveRestore } from './resolve/restore';
import { isBeyondSchema } from './resolve/schema';
import { resolveSet } from './resolve/set';
import { resolveText } from './resolve/text';
import { resolveTransform } from './resolve/transform';
import type { Scene } from './scene';
import { isRecord } from './values';

export type { Resolution, ResolveContext } from './resolve/context';

const byType = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
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
  if (isBeyondSchema(operation, context.schema)) return rejected('schema-too-old');
  // No client has seen a version that there is not: after a backup was restored, one may remember some.
  const baseVersion = Math.min(operation.baseVersion, context.version - 1);
  return byType(scene, { ...operation, baseVersion, actorId: context.actorId }, context);
};
