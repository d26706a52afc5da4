/** Which of some filters is the first that documents pass: each scores less than the one before it, so the best score identifies it. */
import type { estypes } from '@elastic/elasticsearch';
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { Filter, GeoBox, IndexQuery, QueryRefused } from '../../../ports/views/index-query';
import type { IndexView } from '../../../ports/views/view-store';
import { filterQuery } from './filters';
import { checksOf, limits, type QueryChecks } from './query-checks';
import { timeLimitOf } from './search-body';

type Alternatives = readonly Filter[];
type Distance = Extract<Filter, { readonly kind: 'distance' }>;
type Query = estypes.QueryDslQueryContainer;

/** Lucene's. */
const earthMeters = 6_371_008.7714;
/** More than an indexed degree is rounded by. */
const marginDegrees = 1e-6;

const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** A longitude of up to one turn too many. */
const wrapped = (longitude: number): number =>
  longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;

/** The circle is within the box. */
const boxAround = ({ from, meters }: Distance): GeoBox => {
  const angle = meters / earthMeters;
  const reach = degrees(angle) + marginDegrees;
  const [south, north] = [Math.max(-90, from.lat - reach), Math.min(90, from.lat + reach)];
  // Beyond a pole are all meridians.
  if (south === -90 || north === 90) return { south, north, west: -180, east: 180 };
  const aside = degrees(Math.asin(Math.sin(angle) / Math.cos((from.lat * Math.PI) / 180))) + marginDegrees;
  return { south, north, west: wrapped(from.lon - aside), east: wrapped(from.lon + aside) };
};

/** Of the meters: what is nearer to the circle's edge counts as outside. */
const edgeShare = 1e-7;

/**
 * Places in the circle, measured one by one in its box: the score falls from 1 in the middle to 0 at the edge. Lucene's own query for circles
 * prepares itself for many places first, which takes as long as all the rest of a query for a few.
 */
const circleQuery = (checks: QueryChecks, circle: Distance): Query => {
  // With its checks.
  const exact = filterQuery(checks, circle);
  if (checks.refusals.length > 0) return exact;
  const { field, from, meters } = circle;
  const decay = { origin: from, scale: `${meters / 2}m`, decay: 0.5 };
  return {
    function_score: {
      query: { bool: { filter: filterQuery(checks, { kind: 'box', field, ...boxAround(circle) }) } },
      functions: [{ linear: { [field]: decay } }],
      boost_mode: 'replace',
      min_score: edgeShare,
    },
  } as Query;
};

/** Lucene stops at the first document with the highest score; of documents nothing else is read. */
export const alternativesBody = (
  view: IndexView,
  tenantId: string,
  query: IndexQuery & { readonly alternatives: Alternatives },
): Either<QueryRefused, estypes.SearchRequest> => {
  const { alternatives } = query;
  const checks = checksOf(view);
  checks.atMost('The number of alternatives', alternatives.length, limits.fields);
  const queries = alternatives.map((one, at) => ({
    constant_score: {
      filter: one.kind === 'distance' ? circleQuery(checks, one) : filterQuery(checks, one),
      boost: alternatives.length - at,
    },
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
