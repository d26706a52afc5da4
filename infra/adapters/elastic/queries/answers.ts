/** The reply to a search: hits as rows, and what is missing from it. */
import type { estypes } from '@elastic/elasticsearch';
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeStored, fieldsOf } from '../../../../domain/kernel/codec';
import type {
  AggregationResult,
  Explanation,
  FailedShard,
  HighlightedFragment,
  Hit,
  IndexAnswer,
  IndexQuery,
} from '../../../ports/views/index-query';
import type { IndexView, Scalar, ViewFault } from '../../../ports/views/view-store';
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

const noHighlights = {};

const highlightsOf = (highlight: { readonly [field: string]: readonly string[] }): Hit<unknown>['highlights'] =>
  Object.fromEntries(Object.entries(highlight).map(([field, fragments]) => [field, fragments.map(fragmentOf)]));

type RowCodec = t.Type<object, unknown>;

/** Made once per view and omitted fields: making one takes longer than decoding a page with it. */
const codecs = new WeakMap<object, Map<string, RowCodec>>();

/** Of the fields that a hit has. */
const codecOf = ({ row }: IndexView, omit: readonly string[]): RowCodec => {
  if (omit.length === 0) return row as unknown as RowCodec;
  const known = codecs.get(row) ?? new Map<string, RowCodec>();
  codecs.set(row, known);
  const fields = Object.entries(fieldsOf(row)).filter(([field]) => !omit.includes(field));
  const names = fields.map(([field]) => field).join();
  const codec = known.get(names) ?? (t.strict(Object.fromEntries(fields) as t.Props) as unknown as RowCodec);
  known.set(names, codec);
  return codec;
};

/** The index has no field that the row lacks, so a document that fits is the row. The check is half as expensive as decoding. */
const rowOf = (codec: RowCodec, document: unknown) =>
  codec.is(document) ? right(document) : decodeStored(codec, document);

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
    const row = rowOf(codec, _source);
    if (isLeft(row)) return unavailable('The view is of another version; it is being rebuilt.');
    hits.push({
      row: row.right,
      score: _score ?? null,
      sort: sort as Scalar[],
      highlights: highlight === undefined ? noHighlights : highlightsOf(highlight),
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

const hasDocuments = (result: AggregationResult): boolean => {
  switch (result.kind) {
    case 'buckets':
      return result.buckets.some(({ count }) => count > 0);
    case 'filtered':
    case 'stats':
      return result.count > 0;
    case 'cardinality':
      return result.value > 0;
    case 'percentiles':
      return result.values.some(({ value }) => value !== null);
  }
};

/** As an index without documents answers. */
export const isWithoutDocuments = ({ hits, total, aggregations }: IndexAnswer<object>): boolean =>
  hits.length === 0 && (total?.count ?? 0) === 0 && !Object.values(aggregations).some(hasDocuments);
