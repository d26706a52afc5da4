/** Which of some filters is the first that documents pass: each scores less than the one before it, so the best score says it. */
import type { estypes } from '@elastic/elasticsearch';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { Filter, IndexQuery, QueryRefused } from '../../ports/views/index-query';
import type { IndexView } from '../../ports/views/view-store';
import { filterQuery } from './filters';
import { checksOf, limits } from './query-checks';
import { timeLimitOf } from './search-body';

type Alternatives = readonly Filter[];

/** Lucene stops at the first document with the highest score: nothing else of any document is read. */
export const alternativesBody = (
  view: IndexView,
  tenantId: string,
  query: IndexQuery & { readonly alternatives: Alternatives },
): Either<QueryRefused, estypes.SearchRequest> => {
  const { alternatives } = query;
  const checks = checksOf(view);
  checks.atMost('The number of alternatives', alternatives.length, limits.fields);
  const queries = alternatives.map((one, at) => ({
    constant_score: { filter: filterQuery(checks, one), boost: alternatives.length - at },
  }));
  if (checks.refusals.length > 0) return left(fault('index-query-refused', checks.refusals.join(' ')));
  return right({
    query: { bool: { filter: [{ term: { tenantId } }], must: [{ dis_max: { queries } }] } },
    size: 1,
    stored_fields: '_none_',
    track_total_hits: false,
    timeout: `${timeLimitOf(query)}ms`,
    allow_partial_search_results: true,
  });
};

export const alternativeOf = (alternatives: Alternatives, { hits }: estypes.SearchResponse): number | undefined => {
  const score = hits.hits[0]?._score;
  return typeof score === 'number' ? alternatives.length - score : undefined;
};
