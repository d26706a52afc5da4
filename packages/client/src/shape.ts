/** The form of an answer, as far as it is checked: kinds of values, not their rules, so that an older client takes newer words. */

/** `Reference`: how a shape with a name is found; the generator, which writes them, has only the name. */
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

export interface Misfit {
  /** RFC 6901. */
  readonly pointer: string;
  readonly expected: string;
}

type Find = (shape: Shape, value: unknown, pointer: string) => Misfit | undefined;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const step = (pointer: string, key: string | number): string =>
  `${pointer}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

const inEach = (entries: Iterable<readonly [string | number, Shape, unknown]>, pointer: string, find: Find) => {
  for (const [key, shape, value] of entries) {
    const misfit = find(shape, value, step(pointer, key));
    if (misfit !== undefined) return misfit;
  }
  return undefined;
};

const inFields = (shape: Extract<Shape, { fields: Fields }>, value: object, [pointer, find]: [string, Find]) => {
  const own = (name: string): unknown => (Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined);
  const entries = Object.entries(shape.fields).map(([name, field]) => [name, field, own(name)] as const);
  const optional = Object.entries(shape.optional ?? {}).flatMap(([name, field]) =>
    own(name) === undefined ? [] : [[name, field, own(name)] as const],
  );
  return inEach([...entries, ...optional], pointer, find);
};

const plain = (shape: string, value: unknown, pointer: string): Misfit | undefined => {
  const fits = shape === 'anything' || (shape === 'null' ? value === null : typeof value === shape);
  return fits ? undefined : { pointer, expected: shape === 'null' ? shape : `a ${shape}` };
};

/** Where a value first differs from its shape. Only as deep as the shape is. */
export const misfitIn = (whole: Shape, content: unknown): Misfit | undefined => {
  const find: Find = (shape, value, pointer) => {
    if (typeof shape === 'string') return plain(shape, value, pointer);
    if ('of' in shape) return find(shape.of(), value, pointer);
    if ('either' in shape) {
      const misfits = shape.either.map((one) => find(one, value, pointer));
      return misfits.includes(undefined) ? undefined : misfits[0];
    }
    if ('list' in shape || 'tuple' in shape) {
      if (!Array.isArray(value)) return { pointer, expected: 'a list' };
      const parts = 'list' in shape ? value.map(() => shape.list) : shape.tuple;
      return inEach(
        parts.map((part, at) => [at, part, value[at]]),
        pointer,
        find,
      );
    }
    if (!isRecord(value)) return { pointer, expected: 'an object' };
    if ('fields' in shape) return inFields(shape, value, [pointer, find]);
    const entries = Object.entries(value).map(([name, one]) => [name, shape.map, one] as const);
    return inEach(entries, pointer, find);
  };
  return find(whole, content, '');
};
