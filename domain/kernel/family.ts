/** An event family says everything about an aggregate's events once: name, version, codec, upcasts. */
import * as Either from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, type InputFault, isSecret } from './codec';

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

export interface Family<Event extends DomainEvent> {
  readonly context: string;
  /** Every `<context>.<Event>.v<n>` that can be read, the present version of each first. */
  readonly storedTypes: readonly string[];
  readonly codecs: { readonly [Type in Event['type']]: t.Type<Extract<Event, { type: Type }>['data']> };
  /** Names of the fields declared `secret`, per event type. */
  readonly secrets: { readonly [type: string]: readonly string[] };
  readonly encode: (event: Event) => { readonly type: string; readonly data: unknown };
  readonly decode: (storedType: string, data: unknown) => Either.Either<UndecodableEvent, Event>;
  /** Only for `typeof family.Event`; there is no value. */
  readonly Event: Event;
}

type Reader<Event> = (data: unknown) => Either.Either<readonly InputFault[], Event>;

const readers = <Event extends DomainEvent>(type: string, spec: EventSpec, codec: t.Type<unknown>) => {
  const current: Reader<Event> = (data) =>
    Either.map((decoded: unknown) => ({ type, data: decoded }) as unknown as Event)(decode(codec, data));
  const byVersion: Reader<Event>[] = [current];
  for (let version = spec.v - 1; version >= 1; version -= 1) {
    const upcast = spec.from?.[version] as ((old: unknown) => unknown) | undefined;
    if (upcast === undefined) throw new Error(`${type} has no upcast from version ${version}`);
    const next = byVersion.at(-1) as Reader<Event>;
    byVersion.push((data) => next(upcast(data)));
  }
  return byVersion.map((reader, index) => [spec.v - index, reader] as const);
};

/** Declares a family. Throws at load time when a version has no way up to the present one. */
export const family = <const Spec extends FamilySpec>(context: string, spec: Spec): Family<EventOf<Spec>> => {
  type Event = EventOf<Spec>;
  const storedName = (type: string, version: number) => `${context}.${type}.v${version}`;
  const types = Object.entries<EventSpec>(spec);
  const codecs = Object.fromEntries(types.map(([type, { data }]) => [type, t.strict(data, type)]));
  const byStoredType = new Map<string, Reader<Event>>();
  const names = new Map<string, string>();
  for (const [type, event] of types) {
    names.set(type, storedName(type, event.v));
    for (const [version, reader] of readers<Event>(type, event, codecs[type] as t.Type<unknown>))
      byStoredType.set(storedName(type, version), reader);
  }
  const secretFields = ([type, { data }]: [string, EventSpec]) =>
    [type, Object.keys(data).filter((field) => isSecret(data[field] as t.Mixed))] as const;
  return {
    context,
    storedTypes: [...byStoredType.keys()],
    codecs: codecs as unknown as Family<Event>['codecs'],
    secrets: Object.fromEntries(types.map(secretFields)),
    encode: ({ type, data }) => ({ type: names.get(type) as string, data: codecs[type]?.encode(data as never) }),
    decode: (storedType, data) => {
      const reader = byStoredType.get(storedType);
      if (reader === undefined)
        return Either.left({ storedType, faults: [{ pointer: '', expected: 'a known event type' }] });
      return Either.mapLeft((faults: readonly InputFault[]) => ({ storedType, faults }))(reader(data));
    },
    Event: undefined as unknown as Event,
  };
};
