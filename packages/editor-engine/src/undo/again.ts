/** What was deleted, made again as it was. */
import type { NodeId, OrderKey } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import type { NewNode } from '../../../../domain/editor/operation';
import { nodeOf, type SceneNode } from '../../../../domain/editor/scene/scene';
import { spaceOf } from '../../../../domain/editor/scene/spaces';
import { plainText, textOf } from '../../../../domain/editor/text/plain';
import { type TextState, textBase64 } from '../../../../domain/editor/text/state';
import type { Draft } from '../edit/author';
import { inPortions } from '../edit/split';
import { placeOf, type Undoing } from './before';

/** A text whose history has become longer than what may be sent is made again without it. */
const longestHistory = Math.min(400_000, limits.textState);

const textFor = (text: TextState): string => {
  const whole = textBase64(text);
  return whole.length <= longestHistory ? whole : textBase64(textOf(plainText(text)));
};

const again = (undoing: Undoing, before: SceneNode, isWithin: boolean): NewNode => {
  const { id, type, text, properties } = before;
  const { scene, homes } = undoing;
  const { parentId, above, transform } = isWithin
    ? { parentId: before.parentId, above: [], transform: properties.transform }
    : placeOf(scene, homes, before);
  return {
    ...{ id, type, parentId, orderKey: before.orderKey as OrderKey },
    properties: transform === undefined ? { ...properties } : { ...properties, transform },
    ...(text === undefined ? {} : { text: textFor(text) }),
    // For when that parent is gone as well until it is committed.
    ...(isWithin || parentId === null ? {} : { ancestors: [...above], space: spaceOf(scene, parentId) }),
  };
};

/** Parents first, as they are given. */
export const againDrafts = (undoing: Undoing, ids: readonly NodeId[]): readonly Draft[] => {
  const lost = ids.filter((id) => nodeOf(undoing.scene, id) === undefined);
  const together = new Set(lost);
  const nodes = lost.flatMap((id): NewNode[] => {
    const before = undoing.befores.get(id);
    if (before === undefined) return [];
    return [again(undoing, before, before.parentId !== null && together.has(before.parentId))];
  });
  return inPortions(nodes).map(
    (portion): Draft => ({
      type: 'createNode',
      targetIds: portion.map(({ id }) => id),
      payload: { nodes: [...portion] },
    }),
  );
};
