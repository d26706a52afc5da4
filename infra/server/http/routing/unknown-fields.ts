/** Fields of a JSON body and parameters of a query that their codec does not know: codecs of records drop them, so they are looked for before. */
import { isRight } from 'fp-ts/Either';
import type * as t from 'io-ts';
import type { InputFault } from '../../../../domain/kernel/codec';
import { type Inner, innerOf, type Properties, propertiesOf } from '../json-schema';

/** A body of a megabyte can hold a hundred thousand wrong names; the caller sees the first of them. */
const maxFaults = 32;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const escaped = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

type Codec = t.Any;
type Fields = Properties['fields'];

/** Limiters read these bodies thousands of times a second, so that a codec is taken apart once. */
const fieldsByCodec = new WeakMap<Codec, Fields | 'no record'>();

const fieldsOf = (codec: Codec): Fields | 'no record' => {
  const known = fieldsByCodec.get(codec) ?? propertiesOf(codec)?.fields ?? 'no record';
  fieldsByCodec.set(codec, known);
  return known;
};

const inRecord = (fields: Fields, value: unknown, pointer: string): InputFault[] => {
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = `${pointer}/${escaped(key)}`;
    const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
    return field === undefined ? [{ pointer: at, expected: 'no field of this name' }] : search(field, inner, at);
  });
};

const inList = (codecOf: (index: number) => Codec | undefined, value: unknown, pointer: string): InputFault[] => {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => {
    const codec = codecOf(index);
    return codec === undefined ? [] : search(codec, item, `${pointer}/${index}`);
  });
};

const inMap = (codec: Codec, value: unknown, pointer: string): InputFault[] =>
  isObject(value)
    ? Object.entries(value).flatMap(([key, inner]) => search(codec, inner, `${pointer}/${escaped(key)}`))
    : [];

/** Of the members that accept the value, the one that knows most of it. */
const inUnion = (members: readonly Codec[], value: unknown, pointer: string): InputFault[] => {
  const [first, ...others] = members
    .filter((member) => isRight(member.decode(value)))
    .map((member) => search(member, value, pointer));
  return others.reduce((least, faults) => (faults.length < least.length ? faults : least), first ?? []);
};

type Search = (inner: Inner, value: unknown, pointer: string) => InputFault[];

const inInner: Search = ({ type }, value, pointer) => (type === undefined ? [] : search(type, value, pointer));
const inItems: Search = ({ type }, value, pointer) => inList(() => type, value, pointer);

const byTag: { readonly [tag: string]: Search } = {
  ExactType: inInner,
  ReadonlyType: inInner,
  RefinementType: inInner,
  ArrayType: inItems,
  ReadonlyArrayType: inItems,
  TupleType: ({ types = [] }, value, pointer) => inList((index) => types[index], value, pointer),
  DictionaryType: ({ codomain }, value, pointer) => (codomain === undefined ? [] : inMap(codomain, value, pointer)),
  UnionType: ({ types = [] }, value, pointer) => inUnion(types, value, pointer),
};

/** A codec that is no structure of others (a text, a map of anything, one with code of its own) knows whatever it accepts. */
const search = (codec: Codec, value: unknown, pointer: string): InputFault[] => {
  const fields = fieldsOf(codec);
  if (fields !== 'no record') return inRecord(fields, value, pointer);
  const inner = innerOf(codec);
  return byTag[inner._tag ?? '']?.(inner, value, pointer) ?? [];
};

/** One fault for each unknown field, with its pointer (RFC 6901); the values are not read. */
export const unknownFields = (codec: Codec, value: unknown): readonly InputFault[] =>
  search(codec, value, '').slice(0, maxFaults);

/** What a caller may have misspelled. Other names may be values, as a coordinate is, which no answer repeats. */
const parameterName = /^[A-Za-z_][\w.-]{0,63}$/;

const escapedName = (name: string): string => (parameterName.test(name) ? `/${escaped(name)}` : '');

/** One fault for each unknown parameter of a query, with the known ones. Without a codec none is known. */
export const unknownParameters = (codec: Codec | undefined, query: object): readonly InputFault[] => {
  const fields = codec === undefined ? {} : fieldsOf(codec);
  if (fields === 'no record') return [];
  const known = Object.keys(fields);
  const expected =
    known.length === 0 ? 'no parameters' : `no parameter of this name; the known ones are ${known.join(', ')}`;
  const unknown = Object.keys(query).filter((name) => !Object.hasOwn(fields, name));
  return unknown.slice(0, maxFaults).map((name) => ({ pointer: `/query${escapedName(name)}`, expected }));
};
