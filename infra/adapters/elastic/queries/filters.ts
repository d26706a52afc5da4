/** Filters as queries in filter context: they select, and do not score. */
import type { estypes } from '@elastic/elasticsearch';
import type { Filter } from '../../../ports/views/index-query';
import type { Scalar } from '../../../ports/views/view-store';
import { limits, type QueryChecks, rangeKinds, scalarKinds } from './query-checks';
import { textQuery } from './text-match';

type Query = estypes.QueryDslQueryContainer;
type Of<Kind extends Filter['kind']> = Extract<Filter, { readonly kind: Kind }>;
type Combined = Extract<Filter, { readonly of: readonly Filter[] }>;

const nothing: Query = { match_none: {} };
const missing = (field: string): Query => ({ bool: { must_not: { exists: { field } } } });

const oneOf = (checks: QueryChecks, field: string, values: readonly Scalar[]): Query => {
  if (values.length > limits.values) checks.refuse(`A field is compared with at most ${limits.values} values.`);
  const present = values.filter((value) => value !== null);
  const terms = { terms: { [field]: present.map(checks.value) } };
  return present.length === values.length ? terms : { bool: { should: [terms, missing(field)] } };
};

const equals = (checks: QueryChecks, { field, value }: Of<'equals'>): Query => {
  checks.field(field, [...scalarKinds, ...rangeKinds]);
  if (Array.isArray(value)) return oneOf(checks, field, value as readonly Scalar[]);
  return value === null ? missing(field) : { term: { [field]: checks.value(value as string) } };
};

const bounds = { from: 'gte', above: 'gt', to: 'lte', below: 'lt' } as const;

const range = (checks: QueryChecks, filter: Of<'range'>): Query => {
  checks.field(filter.field, scalarKinds);
  const names = Object.keys(bounds) as (keyof typeof bounds)[];
  const given = names.flatMap((name) => {
    const value = filter[name];
    return value === undefined ? [] : [[bounds[name], checks.value(value)]];
  });
  return { range: { [filter.field]: Object.fromEntries(given) } } as Query;
};

const distance = (checks: QueryChecks, { field, from, meters }: Of<'distance'>): Query => {
  checks.field(field, ['geo_point']);
  if (!(meters > 0)) checks.refuse('A distance is to be a positive number of meters.');
  return {
    geo_distance: { distance: `${checks.finite('A distance', meters)}m`, [field]: checks.point(from) },
  } as Query;
};

const box = (checks: QueryChecks, { field, south, west, north, east }: Of<'box'>): Query => {
  checks.field(field, ['geo_point']);
  if (!(south <= north)) checks.refuse('The south of a box is to be below its north.');
  const [topLeft, bottomRight] = [checks.point({ lat: north, lon: west }), checks.point({ lat: south, lon: east })];
  return { geo_bounding_box: { [field]: { top_left: topLeft, bottom_right: bottomRight } } } as Query;
};

export const filterQuery = (checks: QueryChecks, filter: Filter, depth = 1): Query => {
  if (!checks.enters(depth)) return nothing;
  const inner = (): Query[] =>
    (filter as Combined).of.slice(0, limits.clauses).map((one) => filterQuery(checks, one, depth + 1));
  switch (filter.kind) {
    case 'equals':
      return equals(checks, filter);
    case 'range':
      return range(checks, filter);
    case 'prefix':
      return { prefix: { [checks.field(filter.field, ['keyword'])]: checks.value(filter.text) } };
    case 'distance':
      return distance(checks, filter);
    case 'box':
      return box(checks, filter);
    case 'text':
      return textQuery(checks, filter.match);
    case 'all':
      return { bool: { filter: inner() } };
    case 'any':
      return filter.of.length === 0 ? nothing : { bool: { should: inner(), minimum_should_match: 1 } };
    case 'none':
      return { bool: { must_not: inner() } };
  }
};
