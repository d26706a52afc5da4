/** An event family declares the events of an aggregate: name, version, codec, upcasts. */
import * as Either from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, type InputFault } from './codec';
import { isForgotten, isSecret, type SecretCodec } from './secret';

/** An event as the domain sees it. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
}

/** `from[n]` turns the data of version n into that of version n + 1: pure, total, no I/O. */
export interface EventSpec {
  readonly v: number;
  readonly data: t.Props;
  readonly from?: { readonly [version: number]: (old: never) => unknown };
}

export type FamilySpec = { readonly [type: string]: EventSpec };

type EventOf<Spec extends FamilySpec> = {
  [Type in keyof Spec & string]: { readonly type: Type; readonly data: Readonly<t.TypeOfProps<Spec[Type]['data']>> };
}[keyof Spec & string];

export interface UndecodableEvent {
  readonly storedType: string;
  readonly faults: readonly InputFault[];
}

export interface Encoded {
  readonly type: string;
  readonly data: unknown;
  /** Fields of the data that are to be sealed before they are written, each with its subject; absent when there are none. */
  readonly secrets?: { readonly [field: string]: string };
}

export interface Family<Event extends DomainEvent> {
  readonly context: string;
  /** Every `<context>.<Event>.v<n>` that can be read, the present version of each first. */
  readonly storedTypes: readonly string[];
  readonly codecs: { readonly [Type in Event['type']]: t.Type<Extract<Event, { type: Type }>['data']> };
  /** The fields declared `secret`, per event type. */
  readonly secrets: { readonly [type: string]: readonly string[] };
  readonly encode: (event: Event) => Encoded;
  readonly decode: (storedType: string, data: unknown) => Either.Either<UndecodableEvent, Event>;
  /** Only for `typeof family.Event`; there is no value. */
  readonly Event: Event;
}

type Fields = { readonly [field: string]: unknown };

const secretFields = (type: string, { data }: EventSpec) =>
  Object.entries(data).flatMap(([field, codec]) => {
    if (!isSecret(codec as t.Mixed)) return [];
    const { secretOf } = codec as SecretCodec<unknown>;
    const subject = data[secretOf] as t.Mixed | undefined;
    if (subject === undefined || isSecret(subject)) throw new Error(`${type}.${field} has no plain field ${secretOf}`);
    return [[field, secretOf] as const];
  });

/** Whether a value needs encryption: null and forgotten values do not. */
const isPlain = (value: unknown): boolean => value !== undefined && value !== null && !isForgotten(value);

const secretsIn = (fields: readonly (readonly [string, string])[], data: Fields): Pick<Encoded, 'secrets'> => {
  const plain = fields.filter(([field]) => isPlain(data[field]));
  if (plain.length === 0) return {};
  return { secrets: Object.fromEntries(plain.map(([field, subject]) => [field, String(data[subject])])) };
};

type Reader<Event> = (data: unknown) => Either.Either<readonly InputFault[], Event>;

const readers = <Event extends DomainEvent>(type: string, spec: EventSpec, codec: t.Type<unknown>) => {
  const current: Reader<Event> = (data) =>
    Either.map((decoded: unknown) => ({ type, data: decoded }) as unknown as Event)(decodeStored(codec, data));
  const byVersion: Reader<Event>[] = [current];
  for (let version = spec.v - 1; version >= 1; version -= 1) {
    const upcast = spec.from?.[version] as ((old: unknown) => unknown) | undefined;
    if (upcast === undefined) throw new Error(`${type} has no upcast from version ${version}`);
    const next = byVersion.at(-1) as Reader<Event>;
    byVersion.push((data) => next(upcast(data)));
  }
  return byVersion.map((reader, index) => [spec.v - index, reader] as const);
};

const storedTypesOf = <Event extends DomainEvent>(
  context: string,
  types: readonly (readonly [string, EventSpec])[],
  codecs: { readonly [type: string]: t.Mixed },
): ReadonlyMap<string, Reader<Event>> =>
  new Map(
    types.flatMap(([type, spec]) =>
      readers<Event>(type, spec, codecs[type] as t.Mixed).map(
        ([version, reader]) => [`${context}.${type}.v${version}`, reader] as const,
      ),
    ),
  );

/** Declares a family. Throws at load time when a version has no way up to the present one, or a secret has no subject. */
export const family = <const Spec extends FamilySpec>(context: string, spec: Spec): Family<EventOf<Spec>> => {
  type Event = EventOf<Spec>;
  const types = Object.entries<EventSpec>(spec);
  const codecs = Object.fromEntries(types.map(([type, { data }]) => [type, t.strict(data, type)]));
  const byStoredType = storedTypesOf<Event>(context, types, codecs);
  const names = new Map(types.map(([type, { v }]) => [type, `${context}.${type}.v${v}`]));
  const secrets = new Map(types.map(([type, spec]) => [type, secretFields(type, spec)]));
  return {
    context,
    storedTypes: [...byStoredType.keys()],
    codecs: codecs as unknown as Family<Event>['codecs'],
    secrets: Object.fromEntries([...secrets].map(([type, fields]) => [type, fields.map(([field]) => field)])),
    encode: ({ type, data }) => {
      const encoded = codecs[type]?.encode(data) as Fields;
      return { type: names.get(type) as string, data: encoded, ...secretsIn(secrets.get(type) ?? [], encoded) };
    },
    decode: (storedType, data) => {
      const reader = byStoredType.get(storedType);
      if (reader === undefined)
        return Either.left({ storedType, faults: [{ pointer: '', expected: 'a known event type' }] });
      return Either.mapLeft((faults: readonly InputFault[]) => ({ storedType, faults }))(reader(data));
    },
    Event: undefined as unknown as Event,
  };
};
