/** Maps JSON Schema, as our codecs write it, to TypeScript types and to shapes. */
import type { Shape as AnyShape } from '../../packages/client/src/shape';

/** Refers to others by their names. */
type Shape = AnyShape<string>;

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  /** Of a record whose form depends on a field: `properties` has what all have. */
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly prefixItems?: readonly Schema[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

/** Of a map's values. */
const valuesOf = ({ additionalProperties }: Schema): Schema =>
  typeof additionalProperties === 'object' ? additionalProperties : {};

export const nameOf = ($ref: string): string => $ref.slice($ref.lastIndexOf('/') + 1);

const plainTypes: { readonly [type: string]: string } = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

const keyShape = /^[A-Za-z_$][A-Za-z0-9_$]*$/;
export const keyOf = (name: string): string => (keyShape.test(name) ? name : JSON.stringify(name));

const recordType = ({ properties = {}, required = [] }: Schema): string => {
  const fields = Object.entries(properties).map(
    ([name, field]) => `readonly ${keyOf(name)}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
  );
  return fields.length === 0 ? 'object' : `{ ${fields.join(' ')} }`;
};

const listType = ({ items, prefixItems }: Schema): string =>
  prefixItems === undefined
    ? `ReadonlyArray<${typeOf(items ?? {})}>`
    : `readonly [${prefixItems.map(typeOf).join(', ')}]`;

export const typeOf = (schema: Schema): string => {
  const { $ref, enum: words, anyOf, oneOf, allOf, type, properties } = schema;
  if ($ref !== undefined) return nameOf($ref);
  if (oneOf !== undefined) return oneOf.map(typeOf).join(' | ');
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(' | ') || 'never';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' | ');
  if (allOf !== undefined) return allOf.map(typeOf).join(' & ') || 'unknown';
  if (type === 'array') return listType(schema);
  if (properties !== undefined) return recordType(schema);
  if (type === 'object') return `{ readonly [name: string]: ${typeOf(valuesOf(schema))} }`;
  return plainTypes[type ?? ''] ?? 'unknown';
};

const kindOfValue = (value: unknown): Shape => {
  if (value === null) return 'null';
  const kind = typeof value;
  return kind === 'string' || kind === 'number' || kind === 'boolean' ? kind : 'anything';
};

const either = (shapes: readonly Shape[]): Shape => {
  const different = [...new Map(shapes.map((shape) => [JSON.stringify(shape), shape])).values()];
  return different.length === 1 ? (different[0] as Shape) : { either: different };
};

const recordShape = ({ properties = {}, required = [] }: Schema): Shape => {
  const shapes = Object.entries(properties).map(([name, field]) => [name, shapeOf(field)] as const);
  const fields = Object.fromEntries(shapes.filter(([name]) => required.includes(name)));
  const optional = Object.fromEntries(shapes.filter(([name]) => !required.includes(name)));
  return { fields, ...(Object.keys(optional).length === 0 ? {} : { optional }) };
};

export const shapeOf = (schema: Schema): Shape => {
  const { $ref, enum: words, anyOf, allOf, type, items, prefixItems, properties } = schema;
  if ($ref !== undefined) return { of: nameOf($ref) };
  if (words !== undefined) return either(words.map(kindOfValue));
  if ('const' in schema) return kindOfValue(schema.const);
  if (anyOf !== undefined) return either(anyOf.map(shapeOf));
  if (allOf?.length === 1) return shapeOf(allOf[0] as Schema);
  if (type === 'array')
    return prefixItems === undefined ? { list: shapeOf(items ?? {}) } : { tuple: prefixItems.map(shapeOf) };
  if (properties !== undefined) return recordShape(schema);
  if (type === 'object') return { map: shapeOf(valuesOf(schema)) };
  return (plainTypes[type ?? ''] as Shape | undefined) ?? 'anything';
};
