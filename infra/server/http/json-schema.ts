/** JSON Schema (2020-12) of a codec: what OpenAPI shows of inputs and answers. */
import type * as t from 'io-ts';
import type { JsonSchema, Variants } from '../../../domain/kernel/codec';

type Codec = t.Any;
/** Codecs with a plain name become shared components. */
export type Components = Map<string, JsonSchema>;

/** Bodies are read closed: an unknown field is refused (`unknown-fields.ts`). Answers stay open, so that they can gain fields. */
export type Closing = 'open' | 'closed';

interface Reading {
  readonly components: Components;
  readonly closing: Closing;
}

export interface Inner {
  readonly _tag?: string;
  readonly schema?: JsonSchema;
  readonly variants?: Variants;
  readonly constraints?: JsonSchema;
  readonly domain?: Codec;
  readonly type?: Codec;
  readonly types?: readonly Codec[];
  readonly props?: { readonly [field: string]: Codec };
  readonly keys?: object;
  readonly value?: unknown;
  readonly codomain?: Codec;
  readonly runDefinition?: () => Codec;
}

export const innerOf = (codec: Codec): Inner => codec as unknown as Inner;
const plainName = /^[A-Z][A-Za-z0-9]*$/;

export interface Properties {
  readonly fields: { readonly [field: string]: Codec };
  readonly required: readonly string[];
}

/** Undefined when the codec is not a record. */
export const propertiesOf = (codec: Codec): Properties | undefined => {
  const { _tag, type, types = [], props = {} } = innerOf(codec);
  if ((_tag === 'ExactType' || _tag === 'ReadonlyType') && type !== undefined) return propertiesOf(type);
  if (_tag === 'InterfaceType' || _tag === 'StrictType') return { fields: props, required: Object.keys(props) };
  if (_tag === 'PartialType') return { fields: props, required: [] };
  if (_tag !== 'IntersectionType') return undefined;
  const parts = types.map(propertiesOf);
  if (parts.includes(undefined)) return undefined;
  const known = parts.filter((part) => part !== undefined);
  return {
    fields: Object.assign({}, ...known.map(({ fields }) => fields)),
    required: known.flatMap(({ required }) => required),
  };
};

const recordSchema = ({ fields, required }: Properties, components: Components, closing: Closing): JsonSchema => {
  const schemas = Object.entries(fields).map(([name, codec]) => [name, schemaOf(codec, components, closing)]);
  return {
    type: 'object',
    properties: Object.fromEntries(schemas),
    ...(required.length === 0 ? {} : { required }),
    ...(closing === 'closed' ? { additionalProperties: false } : {}),
  };
};

const upperFirst = (word: string): string => `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;

/** Each variant is a component of its own, because a discriminator maps words to components. */
const variantSchemas = (
  name: string,
  whole: JsonSchema,
  { by, field, codecs }: Variants,
  { components, closing }: Reading,
) => {
  const mapping: Record<string, string> = {};
  for (const [word, codec] of Object.entries(codecs)) {
    const variant = `${upperFirst(word)}${name}`;
    const properties = {
      ...(whole.properties as object),
      [by]: { const: word },
      [field]: schemaOf(codec, components, closing),
    };
    components.set(variant, { ...whole, properties });
    mapping[word] = `#/components/schemas/${variant}`;
  }
  return { oneOf: Object.values(mapping).map(($ref) => ({ $ref })), discriminator: { propertyName: by, mapping } };
};

const unionSchema = (types: readonly Codec[], components: Components, closing: Closing): JsonSchema => {
  const values = types.map((type) => innerOf(type));
  if (values.every(({ _tag }) => _tag === 'LiteralType')) return { enum: values.map(({ value }) => value) };
  return { anyOf: types.map((type) => schemaOf(type, components, closing)) };
};

const byTag: { readonly [tag: string]: (inner: Inner, components: Components, closing: Closing) => JsonSchema } = {
  StringType: () => ({ type: 'string' }),
  NumberType: () => ({ type: 'number' }),
  BooleanType: () => ({ type: 'boolean' }),
  NullType: () => ({ type: 'null' }),
  LiteralType: ({ value }) => ({ const: value }),
  KeyofType: ({ keys = {} }) => ({ type: 'string', enum: Object.keys(keys) }),
  ArrayType: ({ type }, components, closing) => ({
    type: 'array',
    items: schemaOf(type as Codec, components, closing),
  }),
  ReadonlyArrayType: ({ type }, components, closing) => ({
    type: 'array',
    items: schemaOf(type as Codec, components, closing),
  }),
  DictionaryType: ({ domain, codomain }, components, closing) => ({
    type: 'object',
    ...(domain === undefined || innerOf(domain).schema === undefined ? {} : { propertyNames: innerOf(domain).schema }),
    additionalProperties: schemaOf(codomain as Codec, components, closing),
  }),
  TupleType: ({ types = [] }, components, closing) => ({
    type: 'array',
    prefixItems: types.map((type) => schemaOf(type, components, closing)),
    minItems: types.length,
    maxItems: types.length,
  }),
  AnyDictionaryType: () => ({ type: 'object' }),
  UnionType: ({ types = [] }, components, closing) => unionSchema(types, components, closing),
  IntersectionType: ({ types = [] }, components, closing) => ({
    allOf: types.map((type) => schemaOf(type, components, closing)),
  }),
  ReadonlyType: ({ type }, components, closing) => schemaOf(type as Codec, components, closing),
  ExactType: ({ type }, components, closing) => schemaOf(type as Codec, components, closing),
  RefinementType: ({ type }, components, closing) => schemaOf(type as Codec, components, closing),
};

const inlineSchema = (codec: Codec, components: Components, closing: Closing): JsonSchema => {
  const { constraints } = innerOf(codec);
  const schema = formOf(codec, components, closing);
  return constraints === undefined ? schema : { ...schema, ...constraints };
};

const formOf = (codec: Codec, components: Components, closing: Closing): JsonSchema => {
  const inner = innerOf(codec);
  if (inner.schema !== undefined) return inner.schema;
  const properties = propertiesOf(codec);
  if (properties !== undefined) {
    const whole = recordSchema(properties, components, closing);
    if (inner.variants === undefined) return whole;
    return { ...whole, ...variantSchemas(codec.name, whole, inner.variants, { components, closing }) };
  }
  return byTag[inner._tag ?? '']?.(inner, components, closing) ?? {};
};

/** Any value and any object: io-ts names them all alike. */
const unnamed = new Set(['AnyType', 'AnyDictionaryType']);

/** Answers a reference for named codecs. Throws at start when two different codecs carry one name. */
export const schemaOf = (codec: Codec, components: Components, closing: Closing = 'open'): JsonSchema => {
  if (!plainName.test(codec.name) || unnamed.has(innerOf(codec)._tag ?? ''))
    return inlineSchema(codec, components, closing);
  const known = components.get(codec.name);
  // Reserved first, so that a codec that holds itself ends at the reference.
  if (known === undefined) components.set(codec.name, {});
  if (known === undefined || Object.keys(known).length > 0) {
    const schema = inlineSchema(codec, components, closing);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema))
      throw new Error(`two codecs are named ${codec.name}`);
    components.set(codec.name, schema);
  }
  return { $ref: `#/components/schemas/${codec.name}` };
};
