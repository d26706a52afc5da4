/** The reply to a search: hits as rows, and what is missing from it. */
import type { estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, fieldsOf } from '../../../domain/kernel/codec';
import type {
  Explanation,
  FailedShard,
  HighlightedFragment,
  Hit,
  IndexAnswer,
  IndexQuery,
} from '../../ports/views/index-query';
import type { IndexView, Scalar, ViewFault } from '../../ports/views/view-store';
import { unavailable } from '../../views/view-faults';
import { aggregationResults } from './aggregation-results';
import { highlightMarks } from './search-body';

/** Beneath the weight of a word are counts of documents of all tenants, and numbers of Lucene's. */
const explanationOf = ({ value, description, details = [] }: estypes.ExplainExplanationDetail): Explanation => {
  const isWeight = description.startsWith('weight(');
  const text = isWeight ? description.replace(/ in \d+\).*$/s, ')') : description;
  return { value, description: text, details: isWeight ? [] : details.map(explanationOf) };
};

const { begin, end } = highlightMarks;

const fragmentOf = (text: string): HighlightedFragment =>
  text
    .split(begin)
    .flatMap((piece, index) => {
      if (index === 0) return [{ text: piece, isMatch: false }];
      const [match = '', ...rest] = piece.split(end);
      return [
        { text: match, isMatch: true },
        { text: rest.join(''), isMatch: false },
      ];
    })
    .filter((piece) => piece.text !== '');

const highlightsOf = (highlight: { readonly [field: string]: readonly string[] } = {}): Hit<unknown>['highlights'] =>
  Object.fromEntries(Object.entries(highlight).map(([field, fragments]) => [field, fragments.map(fragmentOf)]));

/** Of the fields that a hit has. */
const codecOf = ({ row }: IndexView, omit: readonly string[]): t.Type<object, unknown> => {
  if (omit.length === 0) return row as unknown as t.Type<object, unknown>;
  const fields = Object.entries(fieldsOf(row)).filter(([field]) => !omit.includes(field));
  return t.strict(Object.fromEntries(fields) as t.Props) as unknown as t.Type<object, unknown>;
};

const failedShards = ({ failures = [] }: estypes.ShardStatistics): readonly FailedShard[] =>
  failures.map(({ shard = -1, reason }) => ({ shard, reason: reason.type }));

type Total = estypes.SearchTotalHits | number | undefined;

const totalOf = (total: Total): IndexAnswer<unknown>['total'] => {
  if (total === undefined) return undefined;
  return typeof total === 'number'
    ? { count: total, isExact: true }
    : { count: total.value, isExact: total.relation === 'eq' };
};

export const answerOf = (
  view: IndexView,
  query: IndexQuery,
  reply: estypes.SearchResponse,
): Either<ViewFault, Omit<IndexAnswer<object>, 'pointInTime'>> => {
  const codec = codecOf(view, query.omit ?? []);
  const hits: Hit<object>[] = [];
  for (const { _source, _score, sort = [], highlight, _explanation } of reply.hits.hits) {
    const row = decode(codec, _source);
    if (isLeft(row)) return unavailable('The view is of another version; it is being rebuilt.');
    hits.push({
      row: row.right,
      score: _score ?? null,
      sort: sort as Scalar[],
      highlights: highlightsOf(highlight),
      ...(_explanation === undefined ? {} : { explanation: explanationOf(_explanation) }),
    });
  }
  const { _shards: shards, timed_out: timedOut } = reply;
  return right({
    hits,
    total: totalOf(reply.hits.total),
    aggregations: aggregationResults(query.aggregations ?? {}, reply.aggregations),
    timedOut,
    shards: { total: shards.total, failed: failedShards(shards) },
    isPartial: timedOut || shards.failed > 0,
  });
};
