/** Keys for what is put among siblings. */
import type { NodeId, OrderKey } from '../../../../domain/editor/ids';
import { keysBetween } from '../../../../domain/editor/scene/order-keys';
import { nodeOf, type Scene, siblingsOf } from '../../../../domain/editor/scene/scene';
import { siblingsBefore, siblingsFrom } from '../../../../domain/editor/scene/siblings';

/** Among the children of a parent; left out, after all of them. */
export interface Among {
  readonly parentId: NodeId | null;
  readonly before?: NodeId;
  readonly after?: NodeId;
}

/** Sorts after every key. */
const last = '~';

const siblingOf = (scene: Scene, id: NodeId | undefined, parentId: NodeId | null) => {
  const node = id === undefined ? undefined : nodeOf(scene, id);
  return node?.parentId === parentId ? node : undefined;
};

const neighbours = (
  scene: Scene,
  { parentId, before, after }: Among,
): readonly [string | undefined, string | undefined] => {
  const siblings = siblingsOf(scene, parentId);
  const next = siblingOf(scene, before, parentId);
  if (next !== undefined) {
    for (const { orderKey } of siblingsBefore(siblings, next)) return [orderKey, next.orderKey];
    return [undefined, next.orderKey];
  }
  const previous = siblingOf(scene, after, parentId);
  if (previous !== undefined) {
    for (const { id, orderKey } of siblingsFrom(siblings, previous))
      if (id !== previous.id) return [previous.orderKey, orderKey];
    return [previous.orderKey, undefined];
  }
  for (const { orderKey } of siblingsBefore(siblings, { orderKey: last, id: '' as NodeId }))
    return [orderKey, undefined];
  return [undefined, undefined];
};

/** So many keys in their order. Where there is no room the owner of the document makes some. */
export const keysAmong = (scene: Scene, among: Among, count: number): readonly OrderKey[] => {
  const [low, high] = neighbours(scene, among);
  const keys = keysBetween(low, high, count) ?? Array.from({ length: count }, () => low ?? high ?? 'V');
  return keys as readonly OrderKey[];
};
