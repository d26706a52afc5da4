/** The checked shape of a response: kinds of values without their rules, so that an older client accepts newer values. */

/** `Reference`: a function that returns the named shape; in the generator, which writes the shapes, the name. */
export type Shape<Reference = () => Shape> =
  | 'string'
  | 'number'
  | 'boolean'
  | 'null'
  | 'anything'
  | { readonly of: Reference }
  | { readonly list: Shape<Reference> }
  | { readonly map: Shape<Reference> }
  | { readonly tuple: readonly Shape<Reference>[] }
  | { readonly either: readonly Shape<Reference>[] }
  | { readonly fields: Fields<Reference>; readonly optional?: Fields<Reference> };

type Fields<Reference = () => Shape> = { readonly [name: string]: Shape<Reference> };

export interface Mismatch {
  /** RFC 6901. */
  readonly pointer: string;
  readonly expected: string;
}

type FindMismatch = (shape: Shape, value: unknown, pointer: string) => Mismatch | undefined;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const appendToPointer = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

type ShapeEntry = readonly [key: string | number, shape: Shape, value: unknown];

const findInEach = (entries: Iterable<ShapeEntry>, pointer: string, find: FindMismatch) => {
  for (const [key, shape, value] of entries) {
    const mismatch = find(shape, value, appendToPointer(pointer, key));
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
};

const fieldEntries = (shape: Extract<Shape, { fields: Fields }>, value: object): readonly ShapeEntry[] => {
  const own = (name: string): unknown => (Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined);
  const entries = Object.entries(shape.fields).map(([name, field]) => [name, field, own(name)] as const);
  const optional = Object.entries(shape.optional ?? {}).flatMap(([name, field]) =>
    own(name) === undefined ? [] : [[name, field, own(name)] as const],
  );
  return [...entries, ...optional];
};

const findInPlain = (shape: string, value: unknown, pointer: string): Mismatch | undefined => {
  const fits = shape === 'anything' || (shape === 'null' ? value === null : typeof value === shape);
  return fits ? undefined : { pointer, expected: shape === 'null' ? shape : `a ${shape}` };
};

/** Where a value first differs from its shape. Only as deep as the shape is. */
export const findMismatch = (whole: Shape, content: unknown): Mismatch | undefined => {
  const find: FindMismatch = (shape, value, pointer) => {
    if (typeof shape === 'string') return findInPlain(shape, value, pointer);
    if ('of' in shape) return find(shape.of(), value, pointer);
    if ('either' in shape) {
      const mismatches = shape.either.map((one) => find(one, value, pointer));
      return mismatches.includes(undefined) ? undefined : mismatches[0];
    }
    if ('list' in shape || 'tuple' in shape) {
      if (!Array.isArray(value)) return { pointer, expected: 'a list' };
      const parts = 'list' in shape ? value.map(() => shape.list) : shape.tuple;
      return findInEach(
        parts.map((part, at) => [at, part, value[at]]),
        pointer,
        find,
      );
    }
    if (!isRecord(value)) return { pointer, expected: 'an object' };
    if ('fields' in shape) return findInEach(fieldEntries(shape, value), pointer, find);
    const entries = Object.entries(value).map(([name, one]) => [name, shape.map, one] as const);
    return findInEach(entries, pointer, find);
  };
  return find(whole, content, '');
};
