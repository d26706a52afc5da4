/** An example of a JSON Schema, for the documentation: what the schema itself names (`examples`, `const`, `enum`), else the least that fits. */
import type { JsonSchema } from '../../../domain/kernel/codec';
import type { Components } from './json-schema';

interface Reading {
  readonly components: Components;
  /** Of records. */
  readonly fields: 'all' | 'required';
  /** Names of the components around: one that holds itself ends there. */
  readonly within: readonly string[];
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;
const listOf = (value: unknown): readonly JsonSchema[] => (Array.isArray(value) ? value.filter(isSchema) : []);

const withPrefix = '#/components/schemas/';
const isAbsent = Symbol('no example');

const referenced = ($ref: string, reading: Reading): unknown => {
  const { components, within } = reading;
  const name = $ref.slice(withPrefix.length);
  const schema = components.get(name);
  return schema === undefined || within.includes(name)
    ? isAbsent
    : exampleFor(schema, { ...reading, within: [...within, name] });
};

const recordOf = ({ properties, required }: JsonSchema, reading: Reading): unknown => {
  const isNeeded = (field: string): boolean => Array.isArray(required) && required.includes(field);
  const values = Object.entries((properties ?? {}) as { readonly [field: string]: JsonSchema })
    .filter(([field]) => reading.fields === 'all' || isNeeded(field))
    .map(([field, schema]) => [field, exampleFor(schema, reading)] as const);
  if (values.some(([field, value]) => value === isAbsent && isNeeded(field))) return isAbsent;
  return Object.fromEntries(values.filter(([, value]) => value !== isAbsent));
};

const arrayOf = ({ items, prefixItems, minItems }: JsonSchema, reading: Reading): unknown => {
  if (prefixItems !== undefined) return listOf(prefixItems).map((item) => exampleFor(item, reading));
  const item = isSchema(items) ? exampleFor(items, reading) : isAbsent;
  const count = typeof minItems === 'number' ? Math.max(1, minItems) : 1;
  return item === isAbsent ? [] : Array.from({ length: count }, () => item);
};

const mapOf = ({ additionalProperties }: JsonSchema, reading: Reading): unknown => {
  const value = isSchema(additionalProperties) ? exampleFor(additionalProperties, reading) : isAbsent;
  return value === isAbsent ? {} : { name: value };
};

const numberOf = ({ minimum }: JsonSchema): number => (typeof minimum === 'number' && minimum > 0 ? minimum : 1);

const textOf = ({ minLength, maxLength }: JsonSchema): string => {
  const example = 'text'.slice(0, typeof maxLength === 'number' ? maxLength : undefined);
  return typeof minLength === 'number' ? example.padEnd(minLength, 'x') : example;
};

const byType: { readonly [type: string]: (schema: JsonSchema, reading: Reading) => unknown } = {
  string: textOf,
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
  null: () => null,
  array: arrayOf,
  object: (schema, reading) => (schema.properties === undefined ? mapOf(schema, reading) : recordOf(schema, reading)),
};

/** The first alternative that has an example. */
const firstOf = (alternatives: readonly JsonSchema[], reading: Reading): unknown =>
  alternatives.map((one) => exampleFor(one, reading)).find((value) => value !== isAbsent) ?? isAbsent;

const allOf = (parts: readonly JsonSchema[], reading: Reading): unknown =>
  Object.assign({}, ...parts.map((part) => exampleFor(part, reading)).filter((value) => value !== isAbsent)) as unknown;

const exampleFor = (schema: JsonSchema, reading: Reading): unknown => {
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0] as unknown;
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0] as unknown;
  if (typeof schema.$ref === 'string') return referenced(schema.$ref, reading);
  if (schema.oneOf !== undefined) return firstOf(listOf(schema.oneOf), reading);
  if (schema.anyOf !== undefined) return firstOf(listOf(schema.anyOf), reading);
  if (schema.allOf !== undefined) return allOf(listOf(schema.allOf), reading);
  return byType[String(schema.type)]?.(schema, reading) ?? isAbsent;
};

/** Undefined where a schema is too loose for one. Requests are shown with what they need, answers with all that they may have. */
export const exampleOf = (schema: JsonSchema, components: Components, fields: Reading['fields'] = 'all'): unknown => {
  const value = exampleFor(schema, { components, fields, within: [] });
  return value === isAbsent ? undefined : value;
};
