/** What scores documents, as queries. */
import type { estypes } from '@elastic/elasticsearch';
import type { ScoreFunction, Scoring } from '../../../ports/views/index-query';
import { filterQuery } from './filters';
import { numberKinds, type QueryChecks } from './query-checks';
import { textQuery } from './text-match';

type Query = estypes.QueryDslQueryContainer;
type Value<Kind extends ScoreFunction['value']['kind']> = Extract<ScoreFunction['value'], { readonly kind: Kind }>;

const units: { readonly [kind: string]: string } = { geo_point: 'm', date: 'ms' };

const decay = (checks: QueryChecks, { curve, field, origin, scale, offset = 0, atScale = 0.5 }: Value<'decay'>) => {
  checks.field(field, ['geo_point', 'date', ...numberKinds]);
  const kind = checks.mapping(field)?.type ?? '';
  if (!(scale > 0)) checks.refuse('The scale of a decay is to be positive.');
  if (!(atScale > 0 && atScale < 1)) checks.refuse('A decay is to be between 0 and 1 at its scale.');
  if ((typeof origin === 'object') !== (kind === 'geo_point'))
    checks.refuse('The origin of a decay is to fit its field.');
  const measured = (value: number) => (kind in units ? `${checks.finite('A decay', value)}${units[kind]}` : value);
  const from = typeof origin === 'object' ? checks.point(origin) : checks.value(origin);
  return { [curve]: { [field]: { origin: from, scale: measured(scale), offset: measured(offset), decay: atScale } } };
};

const fieldValue = (checks: QueryChecks, { field, factor = 1, modifier = 'none', missing }: Value<'field'>) => ({
  field_value_factor: {
    field: checks.field(field, numberKinds),
    factor: checks.finite('A factor', factor),
    modifier,
    missing: checks.finite('A missing value', missing),
  },
});

const functionOf = (checks: QueryChecks, { value, when, weight = 1 }: ScoreFunction, depth: number) => ({
  ...(value.kind === 'decay' ? decay(checks, value) : {}),
  ...(value.kind === 'field' ? fieldValue(checks, value) : {}),
  ...(when === undefined ? {} : { filter: filterQuery(checks, when, depth) }),
  weight: checks.finite('A weight', weight),
});

export const scoringQuery = (checks: QueryChecks, scoring: Scoring, depth = 1): Query => {
  if (!checks.enters(depth)) return { match_none: {} };
  switch (scoring.kind) {
    case 'text':
      return textQuery(checks, scoring.match, scoring.boost);
    case 'filter': {
      const boost = checks.finite('A score', scoring.score);
      return { constant_score: { filter: filterQuery(checks, scoring.filter, depth + 1), boost } };
    }
    case 'sum': {
      const of = scoring.of.map((one) => scoringQuery(checks, one, depth + 1));
      if (of.length === 0) return { match_none: {} };
      return { bool: scoring.all === true ? { must: of } : { should: of, minimum_should_match: 1 } };
    }
    case 'function': {
      const { combine = 'multiply', functions, of } = scoring;
      return {
        function_score: {
          query: of === undefined ? { match_all: {} } : scoringQuery(checks, of, depth + 1),
          functions: functions.map((one) =>
            functionOf(checks, one, depth + 1),
          ) as estypes.QueryDslFunctionScoreContainer[],
          score_mode: combine,
          boost_mode: combine,
        },
      };
    }
  }
};
