/** Test values made from codecs, and the two properties that every aggregate has. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isLeft, isRight, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { JsonSchema } from '../../../domain/kernel/codec';
import { type Decider, fold } from '../../../domain/kernel/decider';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import { contentPatterns } from '../../../domain/kernel/readable-text';
import { forgotten } from '../../../domain/kernel/secret';

type Values = fc.Arbitrary<unknown>;

interface Tagged {
  readonly _tag?: string;
  readonly name: string;
  readonly schema?: JsonSchema;
  readonly constraints?: JsonSchema;
  readonly is: (value: unknown) => boolean;
  readonly type: Tagged;
  readonly types: readonly Tagged[];
  /** Keys and values of a dictionary. */
  readonly domain: Tagged;
  readonly codomain: Tagged;
  readonly props: { readonly [field: string]: Tagged };
  readonly keys: { readonly [word: string]: unknown };
  readonly value: unknown;
  /** What a secret is of. */
  readonly plain?: Tagged;
}

const numberIn = (schema: JsonSchema, name: 'minimum' | 'maximum' | 'minItems', otherwise: number): number =>
  typeof schema[name] === 'number' ? schema[name] : otherwise;

/** ISO 8601 writes years of four digits without a sign. */
const moments = fc
  .date({ noInvalidDate: true, min: new Date('0000-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z') })
  .map((date) => date.toISOString());

/** What is stored was not always held to these. */
const ofInputs: readonly string[] = Object.values(contentPatterns).flatMap((one) =>
  one === undefined ? [] : [one, `^$|${one}`],
);

/** No values can be made from lookarounds: what they refuse is filtered out. */
const withoutLookaround = (pattern: string): string => {
  const start = pattern.search(/\(\?<?[!=]/);
  if (start < 0) return pattern;
  let depth = 0;
  for (let at = start; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === '(') depth += 1;
    else if (pattern[at] === ')') depth -= 1;
    if (depth === 0) return withoutLookaround(pattern.slice(0, start) + pattern.slice(at + 1));
  }
  throw new Error(`${pattern} is not closed`);
};

const texts = ({ minLength, maxLength, pattern, format }: JsonSchema): Values => {
  if (format === 'date-time') return moments;
  if (typeof pattern === 'string' && !ofInputs.includes(pattern))
    return fc.stringMatching(new RegExp(withoutLookaround(pattern), 'u'));
  return fc.string({
    unit: 'binary',
    minLength: Number(minLength ?? 0),
    maxLength: Math.min(Number(maxLength ?? 50), 50),
  });
};

const ofSchema = (schema: JsonSchema): Values | undefined => {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.type === 'string') return texts(schema);
  // JSON has no -0.
  if (schema.type === 'number')
    return fc
      .double({
        noNaN: true,
        min: numberIn(schema, 'minimum', -Number.MAX_VALUE),
        max: numberIn(schema, 'maximum', Number.MAX_VALUE),
      })
      .map((number) => (number === 0 ? 0 : number));
  if (schema.type !== 'integer') return undefined;
  const min = numberIn(schema, 'minimum', Number.MIN_SAFE_INTEGER);
  return fc.integer({ min, max: numberIn(schema, 'maximum', Number.MAX_SAFE_INTEGER) });
};

const ofProps = (props: Tagged['props'], requiredKeys?: []): Values =>
  fc.record(Object.fromEntries(Object.entries(props).map(([field, codec]) => [field, ofCodec(codec)])), {
    ...(requiredKeys === undefined ? {} : { requiredKeys }),
    noNullPrototype: true,
  });

const merged = (parts: readonly Values[]): Values =>
  fc.tuple(...parts).map((values) => Object.assign({}, ...(values as object[])) as unknown);

/** As they are read: with prototypes, and without -0. */
const jsonValues = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));

const listsOf = ({ type, constraints = {} }: Tagged): Values => {
  const minLength = numberIn(constraints, 'minItems', 0);
  return fc.array(ofCodec(type), { minLength, maxLength: Math.max(5, minLength) });
};

const byTag: { readonly [tag: string]: (codec: Tagged) => Values } = {
  AnyArrayType: () => fc.array(jsonValues),
  AnyDictionaryType: () => fc.dictionary(fc.string(), jsonValues, { noNullPrototype: true }),
  ArrayType: (codec) => listsOf(codec),
  BooleanType: () => fc.boolean(),
  DictionaryType: ({ domain, codomain }) =>
    fc.dictionary(ofCodec(domain) as fc.Arbitrary<string>, ofCodec(codomain), { maxKeys: 5, noNullPrototype: true }),
  ExactType: ({ type }) => ofCodec(type),
  InterfaceType: ({ props }) => ofProps(props),
  IntersectionType: ({ types }) => merged(types.map(ofCodec)),
  KeyofType: ({ keys }) => fc.constantFrom(...Object.keys(keys)),
  LiteralType: ({ value }) => fc.constant(value),
  NullType: () => fc.constant(null),
  PartialType: ({ props }) => ofProps(props, []),
  ReadonlyArrayType: (codec) => listsOf(codec),
  ReadonlyType: ({ type }) => ofCodec(type),
  RefinementType: ({ type }) => ofCodec(type),
  StringType: () => fc.string(),
  TupleType: ({ types }) => fc.tuple(...types.map(ofCodec)),
  UnionType: ({ types }) => fc.oneof(...types.map(ofCodec)),
  UnknownType: () => jsonValues,
};

const ofCodec = (codec: Tagged): Values => {
  if (codec.plain !== undefined) return fc.oneof(ofCodec(codec.plain), fc.constant(forgotten));
  const made = (codec.schema && ofSchema(codec.schema)) ?? byTag[codec._tag ?? '']?.(codec);
  if (made === undefined) throw new Error(`no values can be made for ${codec.name}`);
  return made.filter((value) => codec.is(value));
};

/** Values that the codec accepts. */
export const valuesOf = <A>(codec: t.Type<A, unknown>): fc.Arbitrary<A> =>
  ofCodec(codec as unknown as Tagged) as fc.Arbitrary<A>;

export const eventsOf = <Event extends DomainEvent>({ codecs }: Family<Event>): fc.Arbitrary<Event> =>
  fc.oneof(
    ...Object.entries<t.Type<unknown>>(codecs).map(([type, codec]) =>
      valuesOf(codec).map((data) => ({ type, data }) as Event),
    ),
  );

/** What is written comes back the same, whatever it holds. */
export const survivesJson = <Event extends DomainEvent>(family: Family<Event>): void =>
  fc.assert(
    fc.property(eventsOf(family), (event) => {
      const { type, data } = JSON.parse(JSON.stringify(family.encode(event))) as { type: string; data: unknown };
      assert.deepEqual(family.decode(type, data), right(event));
    }),
  );

/** Histories that the decider itself makes. */
export const historiesOf = <Command, State, Event extends DomainEvent, Code extends string>(
  decider: Decider<Command, State, Event, Code>,
  commands: fc.Arbitrary<Command>,
): fc.Arbitrary<readonly Event[]> =>
  fc.array(commands, { maxLength: 12 }).map((sequence) => {
    const history: Event[] = [];
    for (const command of sequence) {
      const decision = decider.decide(command, fold(decider, decider.initial, history));
      if (isRight(decision)) history.push(...decision.right);
    }
    return history;
  });

/** An accepted command that is repeated records nothing. */
export const twiceIsOnce = <Command, State, Event extends DomainEvent, Code extends string>(
  decider: Decider<Command, State, Event, Code>,
  commands: fc.Arbitrary<Command>,
  histories: fc.Arbitrary<readonly Event[]> = historiesOf(decider, commands),
): void =>
  fc.assert(
    fc.property(commands, histories, (command, history) => {
      const before = fold(decider, decider.initial, history);
      const first = decider.decide(command, before);
      if (isLeft(first)) return;
      assert.deepEqual(decider.decide(command, fold(decider, before, first.right)), right([]));
    }),
  );
