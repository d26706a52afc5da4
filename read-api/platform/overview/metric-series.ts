/** Recorded metrics as series of values, one per step. */
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { finite, Instant, integer, nullable, record, text } from '../../../domain/kernel/codec';
import type { Fault } from '../../../domain/kernel/rejection';
import type { MetricHistoryRecords } from '../../../infra/ports/runtime/metric-history';

const MetricSeries = record('MetricSeries', {
  name: text('SeriesName', { maxLength: 256, examples: ['commands', 'lag/identity_principals'] }),
  /** The oldest first; null where no process recorded. */
  values: t.readonlyArray(nullable(finite)),
});

export const MetricHistory = record('MetricHistory', {
  stepSeconds: integer(1),
  /** When the first step began. */
  from: Instant,
  series: t.readonlyArray(MetricSeries),
  /** Why there are no series; null where they are known. */
  why: nullable(text('HistoryWhy', { maxLength: 512 })),
});
type MetricHistory = t.TypeOf<typeof MetricHistory>;

export const historyFor = (recorded: Either<Fault<string>, MetricHistoryRecords>, at: Instant): MetricHistory => {
  if (isLeft(recorded)) return { stepSeconds: 1, from: at, series: [], why: recorded.left.detail };
  const { stepSeconds, from, buckets } = recorded.right;
  const names = [...new Set(buckets.flatMap((bucket) => [...bucket.keys()]))].toSorted();
  return {
    stepSeconds,
    from: new Date(from).toISOString() as Instant,
    series: names.map((name) => ({ name, values: buckets.map((bucket) => bucket.get(name) ?? null) })),
    why: null,
  };
};
