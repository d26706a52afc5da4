/** What others wrote over since is left to them, where that is asked for. */
import type { NodeId } from '../../../../domain/editor/ids';
import type { Move } from '../../../../domain/editor/operation';
import { nodeOf } from '../../../../domain/editor/scene/scene';
import { isSame } from '../../../../domain/editor/scene/values';
import type { Undoing } from './before';

/** `written` undefined: it was taken away. */
export const mayTakeBack = (
  { scene, isConditional }: Undoing,
  [id, name]: readonly [NodeId, string],
  written: unknown,
): boolean => {
  if (!isConditional) return true;
  const { properties } = nodeOf(scene, id) ?? {};
  const isThere = properties !== undefined && Object.hasOwn(properties, name);
  return isThere ? isSame(properties[name], written) : written === undefined;
};

export const mayMoveBack = ({ scene, isConditional }: Undoing, { id, parentId, orderKey }: Move): boolean => {
  const now = nodeOf(scene, id);
  return !isConditional || (now?.parentId === parentId && now.orderKey === orderKey);
};
