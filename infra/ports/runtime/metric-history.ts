/** A day of the platform's metrics, which all processes record together; see `infra/server/runtime/metric-history/`. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

/** How samples of several processes, and of several intervals, become one: shares of a whole are added, views of the same thing are not. */
export type Merge = 'sum' | 'max';

/** One series during one interval: a rate per second, or a level. */
export interface MetricSample {
  /** `commands`, or `lag/<view>`. */
  readonly series: string;
  readonly value: number;
  readonly merge: Merge;
}

/** The last hour in fine steps, or the last day in coarse ones. */
export type HistoryWindow = 'hour' | 'day';

export interface MetricHistoryRecords {
  readonly stepSeconds: number;
  /** Milliseconds since 1970 at which the first bucket begins. */
  readonly from: number;
  /** One per step, the oldest first; a series that nothing recorded is missing in its bucket. */
  readonly buckets: readonly ReadonlyMap<string, number>[];
}

export interface MetricHistoryWriter {
  /** Samples of one process for the interval that begins at that time, in milliseconds since 1970. Once per interval and process. */
  readonly record: (
    at: number,
    samples: readonly MetricSample[],
  ) => Promise<Either<Fault<'service-unavailable'>, void>>;
  readonly close: () => Promise<void>;
}

export interface MetricHistoryReader {
  /** Complete steps until `now`, in milliseconds since 1970. */
  readonly read: (
    window: HistoryWindow,
    now: number,
  ) => Promise<Either<Fault<'service-unavailable'>, MetricHistoryRecords>>;
  readonly close: () => Promise<void>;
}
