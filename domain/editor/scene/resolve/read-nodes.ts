/** New nodes as strangers send them. */
import { NodeId, OrderKey } from '../../ids';
import { limits } from '../../limits';
import { KeptNodeType, type NewNode, NodeType, Transform } from '../../operation';
import { readSet } from '../properties';
import { isRecord, type JsonRecord, type ValueFault } from '../values';

type NodeFault = ValueFault | 'schema-too-old';

interface Asked extends NewNode {
  readonly properties: JsonRecord;
}

const isParent = (value: unknown): value is NodeId | null => value === null || NodeId.is(value);

const optional = (value: JsonRecord): Pick<NewNode, 'text' | 'ancestors' | 'space'> | undefined => {
  const { text, ancestors, space } = value;
  if (text !== undefined && (typeof text !== 'string' || text.length > limits.textState)) return undefined;
  if (space !== undefined && !Transform.is(space)) return undefined;
  const isPath = Array.isArray(ancestors) && ancestors.length <= limits.depth && ancestors.every(NodeId.is);
  if (ancestors !== undefined && !isPath) return undefined;
  return {
    ...(text === undefined ? {} : { text }),
    ...(isPath ? { ancestors } : {}),
    ...(space === undefined ? {} : { space }),
  };
};

const readNode = (value: unknown): Asked | NodeFault => {
  if (!isRecord(value)) return 'malformed';
  const { id, type, parentId, orderKey } = value;
  if (!NodeId.is(id) || !KeptNodeType.is(type) || !isParent(parentId) || !OrderKey.is(orderKey)) return 'malformed';
  // Perhaps there is one some day; here nobody knows what it would be.
  if (!NodeType.is(type)) return 'schema-too-old';
  const properties = readSet(value.properties);
  if (typeof properties === 'string') return properties;
  const rest = optional(value);
  return rest === undefined ? 'malformed' : { id, type, parentId, orderKey, properties, ...rest };
};

export const readNodes = (payload: unknown): readonly Asked[] | NodeFault => {
  if (!isRecord(payload) || !Array.isArray(payload.nodes)) return 'malformed';
  if (payload.nodes.length > limits.targets) return 'too-large';
  const nodes: Asked[] = [];
  for (const value of payload.nodes) {
    const node = readNode(value);
    if (typeof node === 'string') return node;
    nodes.push(node);
  }
  return nodes;
};
