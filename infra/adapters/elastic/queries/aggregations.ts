/** Aggregations over the documents that a query selects. None of them can reach beyond: not `global`, not terms without documents. */
import type { estypes } from '@elastic/elasticsearch';
import type { Aggregation } from '../../../ports/views/index-query';
import { filterQuery } from './filters';
import { limits, numberKinds, type QueryChecks, scalarKinds } from './query-checks';

type Container = estypes.AggregationsAggregationContainer;
type Named = { readonly [name: string]: Aggregation };

const timeZone = /^[A-Za-z0-9_+\-/]{1,64}$/;

const maxDepth = 4;

const percentsOf = (checks: QueryChecks, percents: readonly number[]): number[] => {
  if (percents.length > limits.fields || !percents.every((percent) => percent >= 0 && percent <= 100))
    checks.refuse(`Percentiles are at most ${limits.fields} numbers from 0 to 100.`);
  return [...percents];
};

/** `0-1000`, `1000-5000`, … from the boundaries. */
const distanceRanges = (checks: QueryChecks, meters: readonly number[]) => {
  checks.atMost('The number of distances', meters.length, limits.fields);
  return meters.map((to, index) => {
    const from = meters[index - 1] ?? 0;
    if (!(to > from)) checks.refuse('Distances are to rise.');
    return { key: `${from}-${to}`, from, to: checks.finite('A distance', to) };
  });
};

/** Only buckets with documents, so that an interval costs what there is and not what there could be. */
const present = { min_doc_count: 1 };

const bodyOf = (checks: QueryChecks, aggregation: Aggregation): Container => {
  switch (aggregation.kind) {
    case 'terms': {
      const size = checks.atMost('The number of terms', aggregation.size, limits.buckets);
      return { terms: { field: checks.field(aggregation.field, scalarKinds), size } };
    }
    case 'ranges': {
      checks.atMost('The number of ranges', aggregation.ranges.length, limits.values);
      const ranges = aggregation.ranges.map((range) => ({ ...range, key: checks.value(range.key) }));
      return { range: { field: checks.field(aggregation.field, numberKinds), ranges } };
    }
    case 'histogram': {
      if (!(aggregation.interval > 0)) checks.refuse('An interval is to be positive.');
      const interval = checks.finite('An interval', aggregation.interval);
      return { histogram: { field: checks.field(aggregation.field, numberKinds), interval, ...present } };
    }
    case 'dates': {
      const { field, interval, timeZone: zone = 'UTC' } = aggregation;
      if (!timeZone.test(zone)) checks.refuse('A time zone is to be an IANA name.');
      const named = { calendar_interval: interval, time_zone: zone };
      return { date_histogram: { field: checks.field(field, ['date']), ...named, ...present } };
    }
    case 'distances': {
      const ranges = distanceRanges(checks, aggregation.meters);
      const origin = checks.point(aggregation.from);
      return { geo_distance: { field: checks.field(aggregation.field, ['geo_point']), origin, unit: 'm', ranges } };
    }
    case 'tiles': {
      const precision = checks.atMost('A zoom level', aggregation.zoom, 29, 0);
      const size = checks.atMost('The number of tiles', aggregation.size, limits.buckets);
      return { geotile_grid: { field: checks.field(aggregation.field, ['geo_point']), precision, size } };
    }
    case 'filtered':
      return { filter: filterQuery(checks, aggregation.filter) };
    case 'stats':
      return { stats: { field: checks.field(aggregation.field, [...numberKinds, 'date']) } };
    case 'cardinality':
      return { cardinality: { field: checks.field(aggregation.field, scalarKinds) } };
    case 'percentiles': {
      const percents = percentsOf(checks, aggregation.percents);
      return { percentiles: { field: checks.field(aggregation.field, numberKinds), percents, keyed: false } };
    }
  }
};

export const withinOf = (aggregation: Aggregation): Named =>
  'within' in aggregation ? (aggregation.within ?? {}) : {};

/** Names of callers may have any characters, and Elasticsearch's may not: they are numbered. */
export const aggregationName = (index: number): string => `a${index}`;

export const aggregationsQuery = (checks: QueryChecks, named: Named, depth = 1): Record<string, Container> => {
  const all = Object.values(named);
  if (all.length > limits.aggregations)
    checks.refuse(`There are at most ${limits.aggregations} aggregations beside each other.`);
  if (depth > maxDepth) {
    checks.refuse(`Aggregations are nested at most ${maxDepth} deep.`);
    return {};
  }
  const containers = all.map((aggregation, index) => {
    const inner = withinOf(aggregation);
    const body = bodyOf(checks, aggregation);
    const whole =
      Object.keys(inner).length === 0 ? body : { ...body, aggregations: aggregationsQuery(checks, inner, depth + 1) };
    return [aggregationName(index), whole] as const;
  });
  return Object.fromEntries(containers);
};
