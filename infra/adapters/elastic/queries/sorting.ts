/** The order of hits, which is always total: pages neither repeat nor lose a hit. */
import type { estypes } from '@elastic/elasticsearch';
import type { IndexQuery, Sort } from '../../../ports/views/index-query';
import type { IndexView } from '../../../ports/views/view-store';
import { limits, type QueryChecks, scalarKinds } from './query-checks';

const sortOf =
  (checks: QueryChecks) =>
  (sort: Sort): estypes.SortCombinations => {
    switch (sort.by) {
      case 'score':
        return { _score: { order: 'desc' } };
      case 'field': {
        const { field, direction, missing = 'last' } = sort;
        return { [checks.field(field, scalarKinds)]: { order: direction, missing: `_${missing}` } };
      }
      case 'distance': {
        const { field, from, direction } = sort;
        const place = { [checks.field(field, ['geo_point'])]: checks.point(from) };
        return { _geo_distance: { ...place, order: direction, unit: 'm' } } as estypes.SortCombinations;
      }
    }
  };

/** By score where something scores. */
const defaultSort = ({ score, nearest }: IndexQuery): readonly Sort[] =>
  score === undefined && nearest === undefined ? [] : [{ by: 'score' }];

/** A point in time numbers its documents; elsewhere the key distinguishes them. */
const tieBreak = ({ key }: IndexView, { pointInTime }: IndexQuery): estypes.SortCombinations[] =>
  pointInTime === undefined
    ? key.filter((field) => field !== 'tenantId').map((field) => ({ [field]: 'asc' }))
    : [{ _shard_doc: 'asc' }];

export const sortQuery = (checks: QueryChecks, view: IndexView, query: IndexQuery): estypes.SortCombinations[] => {
  const { sort = defaultSort(query), after } = query;
  if (sort.length > limits.sorts) checks.refuse(`Hits are sorted by at most ${limits.sorts} values.`);
  const total = [...sort.map(sortOf(checks)), ...tieBreak(view, query)];
  if (after !== undefined && after.length !== total.length)
    checks.refuse('The values of the last hit do not fit the sort.');
  for (const value of after ?? []) if (value !== null) checks.value(value);
  return total;
};
