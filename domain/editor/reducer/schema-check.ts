/** Checks whether an operation uses features above the client's schema version. */
import type { Operation } from '../operation';
import { isRecord, type JsonRecord } from '../scene/json';
import { additionsAfter, type SchemaAdditions, type Schemas, schemas } from '../schema-versions';

const recordsIn = (value: unknown): readonly JsonRecord[] =>
  (Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : []).filter(isRecord);

const namesIn = ({ set, unset }: JsonRecord): readonly unknown[] => [
  ...(isRecord(set) ? Object.keys(set) : []),
  ...(Array.isArray(unset) ? unset : []),
];

const usesAdditions = ({ type, payload }: Operation, { property, nodeType }: SchemaAdditions): boolean => {
  if (!isRecord(payload)) return false;
  if (type === 'createNode')
    return recordsIn(payload.nodes).some((node) => typeof node.type === 'string' && nodeType(node.type));
  if (type !== 'setProperties') return false;
  const names = [payload, ...recordsIn(payload.nodes)].flatMap(namesIn);
  return names.some((name) => typeof name === 'string' && property(name));
};

/** Undo and copies may contain features that the client does not know. */
export const exceedsSchema = (operation: Operation, schema: number, all: Schemas = schemas): boolean => {
  if (schema >= all.length || operation.inverseOf !== undefined) return false;
  const unknown = additionsAfter(schema, all);
  return unknown !== undefined && usesAdditions(operation, unknown);
};
