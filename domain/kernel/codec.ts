/** Codecs shared by events, inputs and read models. Each carries the JSON Schema that OpenAPI shows for it. */
import * as Either from 'fp-ts/Either';
import * as t from 'io-ts';
import { contentPatterns, storedForm, type TextContent, textFault } from './readable-text';

export type JsonSchema = { readonly [key: string]: unknown };

/** The expected type, and its place (RFC 6901 pointer). Never the value, which may be a secret. */
export interface InputFault {
  readonly pointer: string;
  readonly expected: string;
}

/** A copy of the codec with a JSON Schema, for OpenAPI and generated test values. The original may be shared, so it is not changed. */
export const described = <C extends t.Any>(codec: C, schema: JsonSchema): C & { readonly schema: JsonSchema } =>
  Object.assign(Object.create(Object.getPrototypeOf(codec) as object) as C, codec, { schema });

const refined = <A, Base extends A = A>(
  name: string,
  accepts: (value: unknown) => boolean,
  schema: JsonSchema,
): t.Type<Base, A, unknown> & { readonly schema: JsonSchema } => {
  const is = (value: unknown): value is Base => accepts(value);
  return described(
    new t.Type<Base, A, unknown>(
      name,
      is,
      (value, context) => (is(value) ? t.success(value) : t.failure(value, context)),
      t.identity as (value: Base) => A,
    ),
    schema,
  );
};

/** Marks the context of a value that a caller sent, down to each text in it: what is stored already is held to less. */
interface InputContextEntry extends t.ContextEntry {
  readonly isInput: true;
}
const isInput = ([root]: t.Context): boolean => root !== undefined && 'isInput' in root;

export interface TextRule {
  /** What input may hold: by default a `line` of visible characters. */
  readonly content?: TextContent;
  readonly minLength?: number;
  readonly maxLength: number;
  /** A pattern over the whole value; anchors are added. */
  readonly pattern?: string;
  readonly description?: string;
  readonly examples?: readonly string[];
  /** Named to callers in place of a refused value: `an e-mail address`. By default the length, with an example or the pattern. */
  readonly expected?: string;
}

const lengthText = (minLength: number, maxLength: number): string => {
  if (minLength === maxLength) return `text of ${maxLength} characters`;
  return minLength > 1 ? `text of ${minLength} to ${maxLength} characters` : `text of at most ${maxLength} characters`;
};

const expectedText = ({ minLength = 1, maxLength, pattern, examples: [example] = [] }: TextRule): string => {
  const length = lengthText(minLength, maxLength);
  if (pattern === undefined) return length;
  return example === undefined ? `${length} that matches ${pattern}` : `${length}, such as ${example}`;
};

const schemaPattern = (whole: string | undefined, content: TextContent, minLength: number) => {
  const pattern = whole ?? contentPatterns[content];
  if (pattern === undefined) return {};
  return { pattern: whole === undefined && minLength === 0 ? `^$|${pattern}` : pattern };
};

const textRefinement = <A extends string>(name: string, rule: TextRule) => {
  const { content = 'line', minLength = 1, maxLength, pattern, expected = expectedText(rule), ...notes } = rule;
  const anchored = pattern === undefined ? undefined : `^(?:${pattern})$`;
  const whole = anchored === undefined ? undefined : new RegExp(anchored, 'u');
  const is = (value: unknown): value is A & string =>
    typeof value === 'string' &&
    value.length >= minLength &&
    value.length <= maxLength &&
    value.isWellFormed() &&
    (whole === undefined || whole.test(value));
  // Normalising takes the square of the length of a run of marks. A decomposed name is at most four times as long as it is stored.
  const longestInput = content === 'name' || content === 'login' ? 4 * maxLength + 64 : maxLength;
  const validate = (value: unknown, context: t.Context): t.Validation<A & string> => {
    if (typeof value !== 'string' || value.length > longestInput) return t.failure(value, context);
    if (!isInput(context)) return is(value) ? t.success(value) : t.failure(value, context);
    const fault = textFault(value, content);
    if (fault !== undefined && (value.trim() !== '' || minLength > 0)) return t.failure(value, context, fault);
    const stored = storedForm(value, content);
    return is(stored) ? t.success(stored) : t.failure(value, context);
  };
  const codec = new t.Type<A & string, A & string, unknown>(name, is, validate, t.identity);
  return described(Object.assign(codec, { expected }), {
    type: 'string',
    minLength,
    maxLength,
    ...schemaPattern(anchored, content, minLength),
    ...notes,
  });
};

/** Bounded text; every string that enters has a length limit. */
export const text = (name: string, rule: TextRule) => textRefinement<string>(name, rule);

/** A name that people read: its input is normalised and has no invisible characters (RFC 8266). */
export const nameText = (name: string, rule: Omit<TextRule, 'content'>) => text(name, { content: 'name', ...rule });

export type Branded<Name extends string> = string & { readonly __brand: Name };

/** Bounded text whose type is its own, so that one id cannot stand in for another. */
export const brandedText = <const Name extends string>(name: Name, rule: TextRule) =>
  textRefinement<Branded<Name>>(name, rule);

/** A number that JSON can hold: no NaN, no infinities. */
export const finite = refined<number>('finite', Number.isFinite, { type: 'number' });

/** A number within bounds, both inclusive. */
export const decimal = (minimum: number, maximum: number) =>
  refined<number>(
    `a number from ${minimum} to ${maximum}`,
    (value) => Number.isFinite(value) && (value as number) >= minimum && (value as number) <= maximum,
    { type: 'number', minimum, maximum },
  );

/** A whole number within bounds, both inclusive. */
export const integer = (minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER) =>
  refined<number>(
    'integer',
    (value) => Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum,
    { type: 'integer', minimum, maximum },
  );

/** A moment in UTC with milliseconds, as `Date.prototype.toISOString` writes it (RFC 3339). */
export type Instant = Branded<'Instant'>;
const instantShape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
export const Instant = refined<string, Instant>(
  'Instant',
  (value) => typeof value === 'string' && instantShape.test(value) && !Number.isNaN(Date.parse(value)),
  { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] },
);

/** How a field's form depends on the word in another field of the record. */
export interface Variants {
  /** The field with the word. */
  readonly by: string;
  readonly field: string;
  /** Of `field`, by word. */
  readonly codecs: { readonly [word: string]: t.Any };
}

/** A copy of a record's codec whose documentation shows the forms of a field. Decoding stays as it is. */
export const documentedVariants = <C extends t.Any>(
  codec: C,
  variants: Variants,
): C & { readonly variants: Variants } =>
  Object.assign(Object.create(Object.getPrototypeOf(codec) as object) as C, codec, { variants });

/** A copy of the codec whose schema has these keywords besides: constraints of decoding that the codec's form does not show. */
export const constrained = <C extends t.Any>(
  codec: C,
  constraints: JsonSchema,
): C & { readonly constraints: JsonSchema } =>
  Object.assign(Object.create(Object.getPrototypeOf(codec) as object) as C, codec, { constraints });

/** One of a closed set of words. */
export const oneOf = <const Word extends string>(name: string, words: readonly Word[]) =>
  described(t.keyof(Object.fromEntries(words.map((word) => [word, null])) as Record<Word, null>, name), {
    type: 'string',
    enum: words,
  });

export const nullable = <C extends t.Mixed>(codec: C) => t.union([codec, t.null], `${codec.name}|null`);

/** A list of at most `most` items, and at least `least`. */
export const listOf = <C extends t.Mixed>(name: string, item: C, most: number, least = 0) => {
  const items = t.readonlyArray(item, name);
  const isShort = (value: unknown): boolean => Array.isArray(value) && value.length >= least && value.length <= most;
  const list = new t.ReadonlyArrayType<C, readonly t.TypeOf<C>[], readonly t.OutputOf<C>[], unknown>(
    name,
    (value): value is readonly t.TypeOf<C>[] => isShort(value) && items.is(value),
    (value, context) => (isShort(value) ? items.validate(value, context) : t.failure(value, context)),
    items.encode as never,
    item as never,
  );
  return constrained(list, { maxItems: most, ...(least === 0 ? {} : { minItems: least }) });
};

/** A map of at most `most` entries. Unlike `t.record`, it refuses keys that do not decode instead of dropping their entries. */
export const mapOf = <K extends t.Type<string, string, unknown>, C extends t.Mixed>(
  name: string,
  { key, value, most }: { readonly key: K; readonly value: C; readonly most: number },
) => {
  type Entries = { readonly [key: string]: t.TypeOf<C> };
  const entries = t.record(t.string, value, name);
  const isSmall = (candidate: unknown): candidate is object =>
    typeof candidate === 'object' && candidate !== null && Object.keys(candidate).length <= most;
  const validate = (candidate: unknown, context: t.Context): t.Validation<Entries> => {
    if (!isSmall(candidate)) return t.failure(candidate, context);
    const faults = Object.keys(candidate).flatMap((each) => {
      const decoded = key.validate(each, t.appendContext(context, each, key));
      return Either.isLeft(decoded) ? decoded.left : [];
    });
    return faults.length === 0 ? entries.validate(candidate, context) : t.failures(faults);
  };
  const map = new t.DictionaryType<K, C, Entries, Entries, unknown>(
    name,
    (candidate): candidate is Entries =>
      isSmall(candidate) && Object.keys(candidate).every((each) => key.is(each)) && entries.is(candidate),
    validate,
    entries.encode,
    key,
    value,
  );
  return constrained(map, { maxProperties: most });
};

/** A field that older facts lack: absent, it decodes to `value`. */
export const withDefault = <C extends t.Mixed>(codec: C, value: t.TypeOf<C>): C => {
  const validate: C['validate'] = (input, context) =>
    input === undefined ? t.success(value) : codec.validate(input, context);
  const decode: C['decode'] = (input) => validate(input, [{ key: '', type: codec, actual: input }]);
  // A copy, so that everything else about the codec stays known.
  return Object.assign(Object.create(Object.getPrototypeOf(codec) as object) as C, codec, { validate, decode });
};

/** A record that drops unknown keys; `optional` keys may be absent. */
export const record = <Required extends t.Props, Optional extends t.Props = Record<never, never>>(
  name: string,
  required: Required,
  optional?: Optional,
) =>
  optional === undefined
    ? (t.strict(required, name) as unknown as t.Type<t.TypeOfProps<Required> & t.TypeOfPartialProps<Optional>>)
    : (t.exact(t.intersection([t.type(required), t.partial(optional)]), name) as unknown as t.Type<
        t.TypeOfProps<Required> & t.TypeOfPartialProps<Optional>
      >);

const transparent = new Set(['IntersectionType', 'UnionType']);
const tagOf = (codec: t.Decoder<unknown, unknown> | undefined): string =>
  codec !== undefined && '_tag' in codec ? String(codec._tag) : '';
const innermost = (codec: t.Decoder<unknown, unknown> | undefined): t.Decoder<unknown, unknown> | undefined =>
  codec !== undefined && tagOf(codec) === 'ExactType' && 'type' in codec
    ? (codec.type as t.Decoder<unknown, unknown>)
    : codec;

/** A codec for each field of a record. */
export type FieldsOf<A> = { readonly [Field in keyof A]-?: t.Type<A[Field]> };

/** The fields that a record was declared with, so that another record can have some of them. Records with optional fields have none to give. */
export const fieldsOf = <A>(codec: t.Type<A, unknown>): FieldsOf<A> => {
  const inner = innermost(codec);
  if (inner === undefined || !('props' in inner)) throw new Error(`${codec.name} is not a record of required fields`);
  return inner.props as FieldsOf<A>;
};

const schemaOf = (codec: t.Decoder<unknown, unknown> | undefined): JsonSchema =>
  codec !== undefined && 'schema' in codec ? (codec.schema as JsonSchema) : {};

const wholeNumberWithin = ({ minimum, maximum }: JsonSchema): string => {
  if (maximum !== undefined && maximum !== Number.MAX_SAFE_INTEGER)
    return `a whole number from ${String(minimum)} to ${String(maximum)}`;
  return minimum === Number.MIN_SAFE_INTEGER ? 'a whole number' : `a whole number of at least ${String(minimum)}`;
};

const expectedByTag: { readonly [tag: string]: string } = {
  NullType: 'null',
  BooleanType: 'true or false',
  StringType: 'text',
  InterfaceType: 'an object',
  StrictType: 'an object',
  PartialType: 'an object',
  IntersectionType: 'an object',
  DictionaryType: 'an object',
  AnyDictionaryType: 'an object',
};
const expectedByType: { readonly [type: string]: string } = {
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  string: 'text',
};

const listText = ({ minItems = 0, maxItems }: JsonSchema): string => {
  if (maxItems === undefined) return 'a list';
  return minItems === 0
    ? `a list of at most ${String(maxItems)}`
    : `a list of ${String(minItems)} to ${String(maxItems)}`;
};

const constraintsOf = (codec: t.Decoder<unknown, unknown>): JsonSchema =>
  'constraints' in codec ? (codec.constraints as JsonSchema) : {};

/** What callers can act on. The name of a codec helps them only where it is a phrase. */
const expectedBy = (codec: t.Decoder<unknown, unknown> | undefined): string => {
  if (codec === undefined) return 'something else';
  if ('expected' in codec) return String(codec.expected);
  const schema = schemaOf(codec);
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`;
  if (schema.type === 'integer') return wholeNumberWithin(schema);
  if (codec.name.includes(' ')) return codec.name;
  if (schema.format === 'date-time') return 'a time in UTC, such as 2026-01-31T12:00:00.000Z';
  const tag = tagOf(innermost(codec));
  if (tag === 'ArrayType' || tag === 'ReadonlyArrayType') return listText(constraintsOf(codec));
  return expectedByTag[tag] ?? expectedByType[String(schema.type)] ?? codec.name;
};

/** The fault of a nullable value names null as well; faults within the value need no second one. */
const withoutNullFaults = (faults: readonly InputFault[]): readonly InputFault[] =>
  faults.flatMap((fault) => {
    const others = faults.filter((other) => other !== fault && other.expected !== 'null');
    if (fault.expected === 'null')
      return others.some(({ pointer }) => pointer === fault.pointer || pointer.startsWith(`${fault.pointer}/`))
        ? []
        : [fault];
    const isNullable = faults.some(({ pointer, expected }) => pointer === fault.pointer && expected === 'null');
    return [isNullable ? { ...fault, expected: `${fault.expected} or null` } : fault];
  });

const pointerOf = (context: t.Context): string =>
  context
    .filter((_, index) => index > 0 && !transparent.has(tagOf(innermost(context[index - 1]?.type))))
    .map(({ key }) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');

const decodeIn = <A>(
  codec: t.Decoder<unknown, A>,
  value: unknown,
  root: t.ContextEntry,
): Either.Either<readonly InputFault[], A> => {
  const decoded = codec.validate(value, [root]);
  if (Either.isRight(decoded)) return decoded;
  const faults = decoded.left.map(({ context, message }) => ({
    pointer: pointerOf(context),
    expected: message ?? expectedBy(context.at(-1)?.type),
  }));
  const distinct = new Map(faults.map((fault) => [`${fault.pointer} ${fault.expected}`, fault]));
  return Either.left(withoutNullFaults([...distinct.values()]));
};

/**
 * Decodes what a caller sent: its texts are held to their content, and names are normalised. Faults name the pointer and what was expected, never
 * the received value.
 */
export const decode = <A>(codec: t.Decoder<unknown, A>, value: unknown): Either.Either<readonly InputFault[], A> => {
  const root: InputContextEntry = { key: '', type: codec, actual: value, isInput: true };
  return decodeIn(codec, value, root);
};

/** Decodes what this system stored or sent to itself: its texts were accepted under the rules of their time, and are taken as they are. */
export const decodeStored = <A>(
  codec: t.Decoder<unknown, A>,
  value: unknown,
): Either.Either<readonly InputFault[], A> => decodeIn(codec, value, { key: '', type: codec, actual: value });
