/** An event family declares the events of an aggregate: name, version, codec, upcasts; and the streams that they are in. */
import * as Either from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, type InputFault } from './codec';
import { streamName, type TenantId } from './ids';
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

/** The streams of an aggregate, `<context>.<aggregate>-<tenant>.<id>`. */
export interface AggregateStreams<Id extends string = string> {
  readonly aggregate: string;
  /** `<context>.<aggregate>` */
  readonly category: string;
  /** How the names of its streams begin. */
  readonly prefix: string;
  /** The name of the ids' codec. Undefined: they have none, as an hour or the hash of a name. */
  readonly idName: string | undefined;
  /** A method, so that an aggregate of any id is one of strings. */
  readonly stream: { bivariant(tenant: TenantId, id: Id): string }['bivariant'];
}

/** The events of an aggregate, and its streams. */
export interface AggregateFamily<Event extends DomainEvent, Id extends string = string>
  extends Family<Event>,
    AggregateStreams<Id> {}

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

/**
 * Declares the events of a process or of the kernel, whose streams are not of one aggregate. Throws at load time when a version has no way up to
 * the present one, or a secret has no subject.
 */
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

/** The same events in the streams of an aggregate. */
export const inStreamsOf = <Event extends DomainEvent, Id extends string = string>(
  events: Family<Event>,
  aggregate: string,
  id?: t.Type<Id, string, unknown>,
): AggregateFamily<Event, Id> => {
  const { context } = events;
  const category = `${context}.${aggregate}`;
  const stream = (tenant: TenantId, ofAggregate: Id): string =>
    streamName({ context, aggregate, tenant, id: ofAggregate });
  return { ...events, aggregate, category, prefix: `${category}-`, idName: id?.name, stream };
};

interface AggregateName<Id extends string> {
  /** The name of the context's folder. */
  readonly context: string;
  /** In the names of its streams, for ever. */
  readonly name: string;
  /** Left out: no codec has its ids, as hours or hashes. Fields named after the codec hold its ids: `RunId` is in `runId`. */
  readonly id?: t.Type<Id, string, unknown>;
}

/** Declares an aggregate: its events, and the streams that they are in. Its decider has the rules. */
export const aggregate = <const Spec extends FamilySpec, Id extends string = string>(
  { context, name, id }: AggregateName<Id>,
  events: Spec,
): AggregateFamily<EventOf<Spec>, Id> => inStreamsOf(family(context, events), name, id);
