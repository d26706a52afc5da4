/** Words of a caller as a query. They are matched, never parsed. */
import type { estypes } from '@elastic/elasticsearch';
import type { TextMatch } from '../../../ports/views/index-query';
import { limits, type QueryChecks, textKinds } from './query-checks';

const types = {
  best: 'best_fields',
  most: 'most_fields',
  cross: 'cross_fields',
  phrase: 'phrase',
  prefix: 'bool_prefix',
} as const;

const wordCount = (text: string): number => text.split(/[^\p{L}\p{N}]+/u).length;

/** A first letter that differs is another word; without the bound a short word would become every word of an index. */
const fuzzy = { prefix_length: 1, max_expansions: 50 };

export const textQuery = (
  checks: QueryChecks,
  { text, fields, mode = 'best', every, fuzziness }: TextMatch,
  boost?: number,
): estypes.QueryDslQueryContainer => {
  if (text.length > limits.textLength) checks.refuse(`A text has at most ${limits.textLength} characters.`);
  checks.atMost('The number of fields of a text', fields.length, limits.fields);
  const isFuzzy = fuzziness !== undefined;
  if (isFuzzy && (mode === 'cross' || mode === 'phrase')) checks.refuse('A text of this mode is not fuzzy.');
  if (isFuzzy && wordCount(text) > limits.fuzzyWords)
    checks.refuse(`A fuzzy text has at most ${limits.fuzzyWords} words.`);
  return {
    multi_match: {
      query: text.toWellFormed(),
      fields: fields.map(({ field, boost: own }) => {
        const path = checks.field(field, textKinds);
        return own === undefined ? path : `${path}^${checks.finite('A boost', own)}`;
      }),
      type: types[mode],
      operator: every === true ? 'and' : 'or',
      // A number or date among the fields does not fail because of a word.
      lenient: true,
      ...(isFuzzy ? { fuzziness: fuzziness === 'auto' ? 'AUTO' : fuzziness, ...fuzzy } : {}),
      ...(boost === undefined ? {} : { boost: checks.finite('A boost', boost) }),
    },
  };
};
