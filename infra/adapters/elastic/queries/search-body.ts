/** The request of a query. Its tenant is a filter of every part that selects documents. */
import type { estypes } from '@elastic/elasticsearch';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { IndexQuery, QueryRefused } from '../../../ports/views/index-query';
import type { IndexView } from '../../../ports/views/view-store';
import { aggregationsQuery } from './aggregations';
import { filterQuery } from './filters';
import { checksOf, limits, type QueryChecks, textKinds } from './query-checks';
import { scoringQuery } from './scoring';
import { sortQuery } from './sorting';
import { vectorQuery } from './vector-search';

/** Marks of highlighted words: private-use characters, so that no text of a document becomes markup. */
export const highlightMarks = { begin: '\ue000', end: '\ue001' } as const;

const highlightQuery = (checks: QueryChecks, highlight: NonNullable<IndexQuery['highlight']>) => {
  const { fields, fragmentLength = 150 } = highlight;
  checks.atMost('The number of highlighted fields', fields.length, limits.fields);
  return {
    fields: Object.fromEntries(fields.map((field) => [checks.field(field, textKinds), {}])),
    fragment_size: checks.atMost('The length of a fragment', fragmentLength, limits.fragmentLength, 18),
    number_of_fragments: 3,
    pre_tags: [highlightMarks.begin],
    post_tags: [highlightMarks.end],
    // Longer documents are highlighted in their beginning; the server refuses to go on.
    max_analyzed_offset: 999_999,
  };
};

/** Documents of the tenant that pass. */
const selectedBy = (
  checks: QueryChecks,
  tenantId: string,
  { filter }: IndexQuery,
): estypes.QueryDslQueryContainer[] => [
  { term: { tenantId } },
  ...(filter === undefined ? [] : [filterQuery(checks, filter)]),
];

interface BoundQuery {
  readonly view: IndexView;
  readonly tenantId: string;
  readonly query: IndexQuery;
}

const partsOf = (checks: QueryChecks, { view, tenantId, query }: BoundQuery) => {
  const { score, nearest, after, aggregations, omit, highlight, explain, countUpTo } = query;
  const filter = selectedBy(checks, tenantId, query);
  const scoring = score === undefined ? {} : { must: [scoringQuery(checks, score)] };
  return {
    // Without a score of its own, a search for vectors is all there is; else every document of the tenant would be a hit.
    ...(score === undefined && nearest !== undefined ? {} : { query: { bool: { filter, ...scoring } } }),
    ...(nearest === undefined ? {} : { knn: vectorQuery(checks, nearest, filter) }),
    size: checks.atMost('The number of hits', query.limit, limits.hits, 0),
    sort: sortQuery(checks, view, query),
    ...(after === undefined ? {} : { search_after: [...after] }),
    track_total_hits: countUpTo === undefined ? false : checks.atMost('The count', countUpTo, limits.count),
    ...(aggregations === undefined ? {} : { aggregations: aggregationsQuery(checks, aggregations) }),
    ...(omit === undefined || omit.length === 0 ? {} : { _source: { excludes: [...omit] } }),
    ...(highlight === undefined ? {} : { highlight: highlightQuery(checks, highlight) }),
    ...(explain === true ? { explain: true } : {}),
  };
};

export const timeLimitOf = ({ timeLimitMilliseconds = limits.milliseconds }: IndexQuery): number =>
  timeLimitMilliseconds;

export const searchBody = (
  view: IndexView,
  tenantId: string,
  query: IndexQuery,
): Either<QueryRefused, estypes.SearchRequest> => {
  const checks = checksOf(view);
  const milliseconds = checks.atMost('The time limit in milliseconds', timeLimitOf(query), limits.milliseconds);
  const parts = partsOf(checks, { view, tenantId, query });
  if (checks.refusals.length > 0) return left(fault('index-query-refused', checks.refusals.join(' ')));
  return right({ ...parts, timeout: `${milliseconds}ms`, allow_partial_search_results: query.acceptPartial === true });
};
