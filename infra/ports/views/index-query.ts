/**
 * Queries of indexes: filters, text, vectors, distances, pages and aggregations. A query reaches the active generation and one tenant
 * only; no query can name either.
 */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';
import type { GeoPoint } from './index-definition';
import type { IndexView, Scalar, ViewFault, ViewRow } from './view-store';

/** A field of the view, or of its other analyses: `<field>.<name>`. Others are refused. */
export type FieldPath<Row extends ViewRow = ViewRow> = (keyof Row & string) | `${keyof Row & string}.${string}`;

/** Selects documents; does not score them. */
export type Filter<Row extends ViewRow = ViewRow> =
  /** `null` selects documents without a value; an array, those with one of the values. A range equals each number in it. */
  | { readonly kind: 'equals'; readonly field: FieldPath<Row>; readonly value: Scalar | readonly Scalar[] }
  /** `from` and `to` are inclusive, `above` and `below` exclusive. */
  | ({ readonly kind: 'range'; readonly field: FieldPath<Row> } & Bounds)
  /** Of keywords. */
  | { readonly kind: 'prefix'; readonly field: FieldPath<Row>; readonly text: string }
  | { readonly kind: 'distance'; readonly field: FieldPath<Row>; readonly from: GeoPoint; readonly meters: number }
  | ({ readonly kind: 'box'; readonly field: FieldPath<Row> } & GeoBox)
  | { readonly kind: 'text'; readonly match: TextMatch<Row> }
  | { readonly kind: 'all' | 'any' | 'none'; readonly of: readonly Filter<Row>[] };

interface Bounds {
  readonly from?: string | number;
  readonly above?: string | number;
  readonly to?: string | number;
  readonly below?: string | number;
}

/** In degrees. A box whose west is greater than its east crosses the antimeridian. */
export interface GeoBox {
  readonly south: number;
  readonly west: number;
  readonly north: number;
  readonly east: number;
}

export interface TextMatch<Row extends ViewRow = ViewRow> {
  /** Words, never a query language. */
  readonly text: string;
  readonly fields: readonly { readonly field: FieldPath<Row>; readonly boost?: number }[];
  /**
   * `best`: the field that matches best counts; `most`: all count; `cross`: the fields are one; `phrase`: in this order; `prefix`: the
   * last word may be unfinished. Left out, `best`.
   */
  readonly mode?: 'best' | 'most' | 'cross' | 'phrase' | 'prefix';
  /** All words have to match; left out, at least one. */
  readonly every?: true;
  /** Edits per word: `auto` allows none up to 2 letters, 1 up to 5 and then 2. Not for `cross` and `phrase`. */
  readonly fuzziness?: 'auto' | 1 | 2;
}

/** Selects and scores. */
export type Scoring<Row extends ViewRow = ViewRow> =
  | { readonly kind: 'text'; readonly match: TextMatch<Row>; readonly boost?: number }
  /** All that pass score the same. */
  | { readonly kind: 'filter'; readonly filter: Filter<Row>; readonly score: number }
  /** The sum of those that match; `all`: each has to. */
  | { readonly kind: 'sum'; readonly of: readonly Scoring<Row>[]; readonly all?: true }
  /** The inner score, or 1, changed by functions. */
  | {
      readonly kind: 'function';
      readonly of?: Scoring<Row>;
      readonly functions: readonly ScoreFunction<Row>[];
      /** How functions are combined with each other, and then with the score. Left out, `multiply`. */
      readonly combine?: 'multiply' | 'sum';
    };

export interface ScoreFunction<Row extends ViewRow = ViewRow> {
  readonly value: /** 1 at the origin, `atScale` (0.5 if left out) at `scale` beyond `offset`. Meters for points, milliseconds for dates. */
    | {
        readonly kind: 'decay';
        readonly curve: 'exp' | 'gauss' | 'linear';
        readonly field: FieldPath<Row>;
        readonly origin: GeoPoint | number | string;
        readonly scale: number;
        readonly offset?: number;
        readonly atScale?: number;
      }
    | {
        readonly kind: 'field';
        readonly field: FieldPath<Row>;
        readonly factor?: number;
        readonly modifier?: 'none' | 'log1p' | 'ln1p' | 'sqrt' | 'square' | 'reciprocal';
        /** Where the document has none. */
        readonly missing: number;
      }
    | { readonly kind: 'constant' };
  /** Applied to documents that pass; left out, to all. */
  readonly when?: Filter<Row>;
  readonly weight?: number;
}

/** The nearest vectors that pass the query's filter, which is applied during the search. */
export interface VectorSearch<Row extends ViewRow = ViewRow> {
  readonly field: FieldPath<Row>;
  readonly vector: readonly number[];
  /** At most so many of all documents. */
  readonly nearest: number;
  /** Considered per shard: more find better ones. Left out, one and a half times `nearest`, and at least 100. */
  readonly candidates?: number;
  readonly minimumSimilarity?: number;
  readonly boost?: number;
}

export type Sort<Row extends ViewRow = ViewRow> =
  | {
      readonly by: 'field';
      readonly field: FieldPath<Row>;
      readonly direction: 'asc' | 'desc';
      /** Left out, `last`. */
      readonly missing?: 'first' | 'last';
    }
  /** Highest first. */
  | { readonly by: 'score' }
  /** The sort value is in meters. */
  | {
      readonly by: 'distance';
      readonly field: FieldPath<Row>;
      readonly from: GeoPoint;
      readonly direction: 'asc' | 'desc';
    };

export type Aggregation<Row extends ViewRow = ViewRow> =
  | Bucketing<Row>
  | { readonly kind: 'stats' | 'cardinality'; readonly field: FieldPath<Row> }
  | { readonly kind: 'percentiles'; readonly field: FieldPath<Row>; readonly percents: readonly number[] };

export type Bucketing<Row extends ViewRow = ViewRow> = {
  readonly within?: { readonly [name: string]: Aggregation<Row> };
} & (
  | { readonly kind: 'terms'; readonly field: FieldPath<Row>; readonly size: number }
  | {
      readonly kind: 'ranges';
      readonly field: FieldPath<Row>;
      /** From inclusive, to exclusive. */
      readonly ranges: readonly { readonly key: string; readonly from?: number; readonly to?: number }[];
    }
  | { readonly kind: 'histogram'; readonly field: FieldPath<Row>; readonly interval: number }
  | {
      readonly kind: 'dates';
      readonly field: FieldPath<Row>;
      readonly interval: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
      /** An IANA name; UTC if left out. */
      readonly timeZone?: string;
    }
  | {
      readonly kind: 'distances';
      readonly field: FieldPath<Row>;
      readonly from: GeoPoint;
      readonly meters: readonly number[];
    }
  | { readonly kind: 'tiles'; readonly field: FieldPath<Row>; readonly zoom: number; readonly size: number }
  | { readonly kind: 'filtered'; readonly filter: Filter<Row> }
);

export interface IndexQuery<Row extends ViewRow = ViewRow, Omitted extends keyof Row & string = never> {
  readonly filter?: Filter<Row>;
  /** With `nearest` as well, a document's score is the sum of both. */
  readonly score?: Scoring<Row>;
  readonly nearest?: VectorSearch<Row>;
  /**
   * The highest score first, if left out. The key follows as the last sort value, so that the order is total; in a point in time,
   * a number of the document.
   */
  readonly sort?: readonly Sort<Row>[];
  /** Sort values of the last hit of the page before, in the same order. There is no other way to skip hits. */
  readonly after?: readonly Scalar[];
  /** At most 1,000; 0 for aggregations alone. */
  readonly limit: number;
  readonly pointInTime?: PointInTime;
  readonly aggregations?: { readonly [name: string]: Aggregation<Row> };
  /** At most 16. Where the query finds no documents, the answer names the first of these that documents pass. */
  readonly alternatives?: readonly Filter<Row>[];
  /** Counts all documents, up to so many. Left out, none are counted. */
  readonly countUpTo?: number;
  /** Fields that hits do not need, such as vectors. */
  readonly omit?: readonly Omitted[];
  readonly highlight?: { readonly fields: readonly FieldPath<Row>[]; readonly fragmentLength?: number };
  /** Explains each score. For tests and operators: it costs about as much as the search. */
  readonly explain?: true;
  /** Shards answer with what they have by then; the query ends half a second later. 5,000 if left out, and at most. */
  readonly timeLimitMilliseconds?: number;
  /** An answer without some shards, or cut off by the time limit, is returned and marked. Left out, it is a fault. */
  readonly acceptPartial?: true;
  readonly signal?: AbortSignal;
}

/** A frozen state of the active generation. Sign it before it leaves the process. */
export interface PointInTime {
  readonly id: string;
}

/** How a score came about. The statistics behind the weight of a word count documents of all tenants, so they are left out. */
export interface Explanation {
  readonly value: number;
  readonly description: string;
  readonly details: readonly Explanation[];
}

/** A part of a text, in pieces; as text, never as markup. */
export type HighlightedFragment = readonly { readonly text: string; readonly isMatch: boolean }[];

export interface Hit<Row> {
  readonly row: Row;
  /** Null when the sort does not use it. */
  readonly score: number | null;
  readonly sort: readonly Scalar[];
  readonly highlights: { readonly [field: string]: readonly HighlightedFragment[] };
  readonly explanation?: Explanation;
}

export interface Bucket {
  /** Of terms, ranges and tiles as text, of histograms as a number (dates in milliseconds since 1970). */
  readonly key: string | number;
  readonly count: number;
  readonly within: AggregationResults;
}

export type AggregationResult =
  | {
      readonly kind: 'buckets';
      readonly buckets: readonly Bucket[] /** Documents of terms that are not listed. */;
      readonly otherCount: number;
    }
  | { readonly kind: 'filtered'; readonly count: number; readonly within: AggregationResults }
  | {
      readonly kind: 'stats';
      readonly count: number;
      /** Null without documents. */
      readonly minimum: number | null;
      readonly maximum: number | null;
      readonly average: number | null;
      readonly sum: number;
    }
  | { readonly kind: 'cardinality'; readonly value: number }
  | {
      readonly kind: 'percentiles';
      readonly values: readonly { readonly percent: number; readonly value: number | null }[];
    };

export interface AggregationResults {
  readonly [name: string]: AggregationResult;
}

export interface FailedShard {
  readonly shard: number;
  /** A code of Elasticsearch's, such as `no_shard_available_action_exception`. */
  readonly reason: string;
}

export interface IndexAnswer<Row> {
  readonly hits: readonly Hit<Row>[];
  /** Undefined unless counted. */
  readonly total: { readonly count: number; readonly isExact: boolean } | undefined;
  readonly aggregations: AggregationResults;
  /** The index of the first of the `alternatives` that documents pass. Undefined: none, or it is not known; and where the query finds documents. */
  readonly alternative?: number;
  readonly timedOut: boolean;
  readonly shards: { readonly total: number; readonly failed: readonly FailedShard[] };
  /** Some documents may be missing: the time limit was reached, or shards failed. */
  readonly isPartial: boolean;
  /** For the next page, where the query was in one: it may have changed. */
  readonly pointInTime?: PointInTime;
}

/** The query exceeds a limit, or names what the view does not have. `detail` is a sentence for the caller. */
export type QueryRefused = Fault<'index-query-refused'>;
/** It was closed or not used in time, or its generation is gone. Begin again without it. */
export type PointInTimeExpired = Fault<'point-in-time-expired'>;

export interface IndexQueries {
  readonly search: <Row extends ViewRow, Omitted extends keyof Row & string = never>(
    view: IndexView<Row>,
    tenantId: string,
    query: IndexQuery<Row, Omitted>,
  ) => Promise<Either<ViewFault | QueryRefused | PointInTimeExpired, IndexAnswer<Omit<Row, Omitted>>>>;
  /** Each search in it extends it by the seconds it was opened with: 1 to 600. */
  readonly openPointInTime: <Row extends ViewRow>(
    view: IndexView<Row>,
    keepAliveSeconds: number,
  ) => Promise<Either<ViewFault | QueryRefused, PointInTime>>;
  readonly closePointInTime: (pointInTime: PointInTime) => Promise<Either<ViewFault, void>>;
  readonly close: () => Promise<void>;
}
