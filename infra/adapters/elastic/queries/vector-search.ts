/** The nearest vectors. The filter applies during the search, so that it finds as many as the query wants. */
import type { estypes } from '@elastic/elasticsearch';
import type { VectorSearch } from '../../../ports/views/index-query';
import { limits, type QueryChecks } from './query-checks';

const candidatesFor = (nearest: number): number => Math.min(limits.candidates, Math.max(100, Math.ceil(1.5 * nearest)));

const checkVector = (checks: QueryChecks, { field, vector }: VectorSearch): void => {
  const mapping = checks.mapping(field);
  if (mapping?.type !== 'dense_vector') return;
  if (vector.length !== mapping.dims) checks.refuse(`A vector of this field has ${mapping.dims} numbers.`);
  if (!vector.every(Number.isFinite)) checks.refuse('A vector is to be made of finite numbers.');
  if (mapping.similarity === 'cosine' && vector.every((number) => number === 0))
    checks.refuse('A vector of this field is not to be zero.');
};

export const vectorQuery = (
  checks: QueryChecks,
  search: VectorSearch,
  filter: estypes.QueryDslQueryContainer[],
): estypes.KnnSearch => {
  const { field, vector, nearest, candidates = candidatesFor(nearest), minimumSimilarity, boost } = search;
  checks.field(field, ['dense_vector']);
  checkVector(checks, search);
  return {
    field,
    query_vector: [...vector],
    k: checks.atMost('The number of nearest vectors', nearest, limits.nearest),
    num_candidates: checks.atMost('The number of candidates', candidates, limits.candidates, nearest),
    filter,
    ...(minimumSimilarity === undefined ? {} : { similarity: checks.finite('A similarity', minimumSimilarity) }),
    ...(boost === undefined ? {} : { boost: checks.finite('A boost', boost) }),
  };
};
