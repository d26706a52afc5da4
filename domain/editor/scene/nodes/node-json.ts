/** Lossless JSON of nodes, for snapshots and transfers. */
import { NodeId } from '../../ids';
import { StoredNodeType, Transform } from '../../operation';
import { textBase64, textFromBase64 } from '../../text/text-state';
import { isRecord, type JsonRecord } from '../json';
import type { ReparentRecord, SceneNode } from '../scene';

export interface NodeJson extends Omit<SceneNode, 'text'> {
  readonly text?: string;
}

export const nodeToJson = ({ text, ...node }: SceneNode): NodeJson =>
  text === undefined ? node : { ...node, text: textBase64(text) };

const isMove = (value: unknown): value is ReparentRecord =>
  isRecord(value) &&
  Number.isSafeInteger(value.version) &&
  typeof value.by === 'string' &&
  Transform.is(value.fromSpace);

const isMoves = (value: unknown): value is readonly ReparentRecord[] | undefined =>
  value === undefined || (Array.isArray(value) && value.every(isMove));

const isNodeJson = (value: JsonRecord): value is JsonRecord & NodeJson =>
  NodeId.is(value.id) &&
  StoredNodeType.is(value.type) &&
  (value.parentId === null || NodeId.is(value.parentId)) &&
  typeof value.orderKey === 'string' &&
  isRecord(value.properties) &&
  Number.isSafeInteger(value.revision) &&
  (value.text === undefined || typeof value.text === 'string') &&
  isMoves(value.moves);

/** Undefined if the value is no node. */
export const nodeFromJson = (value: unknown): SceneNode | undefined => {
  if (!isRecord(value) || !isNodeJson(value)) return undefined;
  const { id, type, parentId, orderKey, properties, text, revision, moves } = value;
  // Fast path: nearly all nodes of a snapshot.
  if (text === undefined && moves === undefined) return { id, type, parentId, orderKey, properties, revision };
  return {
    id,
    type,
    parentId,
    orderKey,
    properties,
    ...(text === undefined ? {} : { text: textFromBase64(text) }),
    revision,
    ...(moves === undefined ? {} : { moves }),
  };
};
