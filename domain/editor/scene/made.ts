/** What operations make of nodes. */
import type { ClientId, NodeId } from '../ids';
import { type NewNode, Transform } from '../operation';
import { textFromBase64 } from '../text/state';
import type { SceneNode } from './scene';
import { isRecord, type JsonRecord } from './values';

/** At most so many moves of a node are remembered. */
const rememberedMoves = 8;

/** A node as an operation makes it. */
export const madeOf = (made: NewNode, version: number): SceneNode => ({
  id: made.id,
  type: made.type,
  parentId: made.parentId,
  orderKey: made.orderKey,
  properties: isRecord(made.properties) ? made.properties : {},
  ...(made.text === undefined ? {} : { text: textFromBase64(made.text) }),
  revision: version,
});

/** What a move makes of a node. */
export const movedBy = (node: SceneNode, move: JsonRecord, version: number): SceneNode => {
  const { parentId, orderKey, transform: matrix, fromSpace, by } = move;
  const known = node.moves ?? [];
  const moves =
    Transform.is(fromSpace) && typeof by === 'string'
      ? [...known, { version, by: by as ClientId, fromSpace }].slice(-rememberedMoves)
      : known;
  return {
    ...node,
    parentId: typeof parentId === 'string' ? (parentId as NodeId) : null,
    orderKey: typeof orderKey === 'string' ? orderKey : node.orderKey,
    properties: matrix === undefined ? node.properties : { ...node.properties, transform: matrix },
    revision: version,
    ...(moves.length === 0 ? {} : { moves }),
  };
};
