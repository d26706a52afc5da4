/** Builds and moves nodes. */
import type { ClientId, NodeId } from '../../ids';
import { type NewNode, Transform } from '../../operation';
import { textFromBase64 } from '../../text/text-state';
import { isRecord, type JsonRecord } from '../json';
import type { SceneNode } from '../scene';

const maxReparentRecords = 8;

export const buildNode = (made: NewNode, version: number): SceneNode => ({
  id: made.id,
  type: made.type,
  parentId: made.parentId,
  orderKey: made.orderKey,
  properties: isRecord(made.properties) ? made.properties : {},
  ...(made.text === undefined ? {} : { text: textFromBase64(made.text) }),
  revision: version,
});

export const moveNode = (node: SceneNode, move: JsonRecord, version: number): SceneNode => {
  const { parentId, orderKey, transform: matrix, fromSpace, by } = move;
  const known = node.moves ?? [];
  const moves =
    Transform.is(fromSpace) && typeof by === 'string'
      ? [...known, { version, by: by as ClientId, fromSpace }].slice(-maxReparentRecords)
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
