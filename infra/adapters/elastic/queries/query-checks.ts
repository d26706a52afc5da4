/** Limits of a query, and its fields and values. Everything that is refused is collected, so that translation goes on to its end. */
import type { FieldMapping, GeoPoint } from '../../../ports/views/index-definition';
import type { IndexView } from '../../../ports/views/view-store';

export const limits = {
  hits: 1_000,
  /** Clauses of filters and scores together. */
  clauses: 1_024,
  depth: 16,
  values: 4_096,
  valueLength: 8_192,
  textLength: 4_096,
  /** Each fuzzy word becomes up to 50 words. */
  fuzzyWords: 32,
  fields: 16,
  sorts: 8,
  aggregations: 32,
  buckets: 1_000,
  nearest: 1_000,
  candidates: 10_000,
  count: 1_000_000,
  milliseconds: 5_000,
  fragmentLength: 2_000,
} as const;

type Kind = FieldMapping['type'];

export interface QueryChecks {
  /** Sentences for the caller. */
  readonly refusals: readonly string[];
  readonly refuse: (sentence: string) => void;
  /** The field, or a refusal where the view has none of these kinds under the name. */
  readonly field: (path: string, kinds: readonly Kind[]) => string;
  readonly mapping: (path: string) => FieldMapping | undefined;
  /** Counts a clause; false where there are too many of them, or they are nested too deeply. */
  readonly enters: (depth: number) => boolean;
  readonly atMost: (what: string, value: number, most: number, least?: number) => number;
  readonly finite: (what: string, value: number) => number;
  readonly point: (point: GeoPoint) => GeoPoint;
  readonly value: <A extends string | number | boolean>(value: A) => A;
}

export const scalarKinds = ['keyword', 'long', 'double', 'boolean', 'date', 'ip'] as const;
export const rangeKinds = ['integer_range'] as const;
export const numberKinds = ['long', 'double'] as const;
export const textKinds = ['text', 'keyword'] as const;

const mappingOf = (mappings: IndexView['mappings'], path: string): FieldMapping | undefined => {
  const [name = '', inner, ...more] = path.split('.');
  if (more.length > 0 || !Object.hasOwn(mappings, name)) return undefined;
  const mapping = (mappings as { readonly [field: string]: FieldMapping })[name];
  if (inner === undefined) return mapping;
  const { fields = {} } = mapping as { readonly fields?: { readonly [field: string]: FieldMapping } };
  return Object.hasOwn(fields, inner) ? fields[inner] : undefined;
};

const isLatitude = (value: number): boolean => Number.isFinite(value) && Math.abs(value) <= 90;
const isLongitude = (value: number): boolean => Number.isFinite(value) && Math.abs(value) <= 180;

export const checksOf = ({ mappings }: Pick<IndexView, 'mappings'>): QueryChecks => {
  const refusals: string[] = [];
  let clauses = 0;
  const refuse = (sentence: string): void => {
    if (!refusals.includes(sentence)) refusals.push(sentence);
  };
  const mapping = (path: string) => mappingOf(mappings, path);
  const field: QueryChecks['field'] = (path, kinds) => {
    const kind = mapping(path)?.type;
    if (kind === undefined) refuse('The view has no such field.');
    else if (!kinds.includes(kind)) refuse(`A field of this kind cannot be used here: ${kind}.`);
    return path;
  };
  const finite: QueryChecks['finite'] = (what, value) => {
    if (!Number.isFinite(value)) refuse(`${what} is to be a finite number.`);
    return value;
  };
  return {
    refusals,
    refuse,
    field,
    mapping,
    enters: (depth) => {
      clauses += 1;
      if (depth > limits.depth) refuse(`Clauses are nested at most ${limits.depth} deep.`);
      if (clauses > limits.clauses) refuse(`A query has at most ${limits.clauses} clauses.`);
      return depth <= limits.depth && clauses <= limits.clauses;
    },
    atMost: (what, value, most, least = 1) => {
      if (!Number.isSafeInteger(value) || value < least || value > most)
        refuse(`${what} is to be a whole number from ${least} to ${most}.`);
      return value;
    },
    finite,
    point: ({ lat, lon }) => {
      if (!isLatitude(lat) || !isLongitude(lon))
        refuse('A point is to have a latitude from -90 to 90 and a longitude from -180 to 180.');
      return { lat, lon };
    },
    value: (value) => {
      if (typeof value === 'number') finite('A value', value);
      if (typeof value !== 'string') return value;
      if (value.length > limits.valueLength || !value.isWellFormed())
        refuse(`A value is to be well-formed text of at most ${limits.valueLength} characters.`);
      return value;
    },
  };
};
