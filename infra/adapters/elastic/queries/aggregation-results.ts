/** Results of aggregations, under the query's names. */
import type { Aggregation, AggregationResult, AggregationResults, Bucket } from '../../../ports/views/index-query';
import { aggregationName, withinOf } from './aggregations';

/** What Elasticsearch answers, as far as it is read here. */
interface Raw {
  readonly buckets?: readonly (Raw & { readonly key: string | number })[];
  readonly sum_other_doc_count?: number;
  readonly doc_count?: number;
  readonly count?: number;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly avg?: number | null;
  readonly sum?: number;
  readonly value?: number;
  readonly values?: readonly { readonly key: number; readonly value: number | null }[];
}

type RawResults = { readonly [name: string]: unknown };

const bucketOf =
  (aggregation: Aggregation) =>
  (raw: Raw & { readonly key: string | number }): Bucket => ({
    key: aggregation.kind === 'terms' ? String((raw as { key_as_string?: string }).key_as_string ?? raw.key) : raw.key,
    count: raw.doc_count ?? 0,
    within: aggregationResults(withinOf(aggregation), raw as unknown as RawResults),
  });

const resultOf = (aggregation: Aggregation, raw: Raw): AggregationResult => {
  switch (aggregation.kind) {
    case 'terms':
    case 'ranges':
    case 'histogram':
    case 'dates':
    case 'distances':
    case 'tiles':
      return {
        kind: 'buckets',
        buckets: (raw.buckets ?? []).map(bucketOf(aggregation)),
        otherCount: raw.sum_other_doc_count ?? 0,
      };
    case 'filtered':
      return {
        kind: 'filtered',
        count: raw.doc_count ?? 0,
        within: aggregationResults(withinOf(aggregation), raw as unknown as RawResults),
      };
    case 'stats': {
      const { count = 0, min = null, max = null, avg = null, sum = 0 } = raw;
      return count === 0
        ? { kind: 'stats', count, minimum: null, maximum: null, average: null, sum: 0 }
        : { kind: 'stats', count, minimum: min, maximum: max, average: avg, sum };
    }
    case 'cardinality':
      return { kind: 'cardinality', value: raw.value ?? 0 };
    case 'percentiles':
      return {
        kind: 'percentiles',
        values: (raw.values ?? []).map(({ key, value }) => ({ percent: key, value })),
      };
  }
};

/** A function declaration, because buckets have results within. */
export function aggregationResults(
  named: { readonly [name: string]: Aggregation },
  raw: RawResults | undefined,
): AggregationResults {
  return Object.fromEntries(
    Object.entries(named).map(([name, aggregation], index) => [
      name,
      resultOf(aggregation, (raw?.[aggregationName(index)] ?? {}) as Raw),
    ]),
  );
}
