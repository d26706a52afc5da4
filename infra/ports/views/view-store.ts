/** Read models: how a view is declared, changed, rebuilt beside itself and read. Adapters: Postgres, Elasticsearch, Redis. */
import type { Either } from 'fp-ts/Either';
import type { Type } from 'io-ts';
import type { Fault } from '../../../domain/kernel/rejection';
import type { WhenErased } from './erasure';
import type { FieldMapping, IndexSettings } from './index-definition';

interface ViewBase<Row extends ViewRow> {
  /** Snake case, `<context>_<plural noun>`: the table's, alias's or key prefix's name. */
  readonly name: string;
  /** Raised whenever rows would come out differently; the projector then rebuilds. */
  readonly version: number;
  readonly row: Type<Row, unknown>;
  /** Rows contain values of secret fields, and an erasure changes them. Other views read such fields as erased. */
  readonly personal?: true;
  /**
   * Columns that the store never holds in plain (Postgres): `encrypted` texts, and lists of which each value is a keyed digest. Queries
   * may test whether a list has values; nothing else works on these columns.
   */
  readonly sealed?: {
    readonly encrypted: readonly (keyof Row & string)[];
    readonly digests: readonly (keyof Row & string)[];
  };
  /** Rows are made of content in object storage, which projectors and rebuilds then need. */
  readonly content?: true;
  /** Low priority: while other views catch up, this one writes slowly. */
  readonly patient?: true;
  /** The identifying fields, `tenantId` first. */
  readonly key: readonly (keyof Row & string)[];
}

export type ColumnType =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'double precision'
  | 'boolean'
  | 'timestamptz'
  | 'jsonb'
  | 'text[]';

/** A B-tree over these columns, or a `gin` index, which finds rows by elements of their `text[]` columns. */
export type TableIndex<Row extends ViewRow = ViewRow> =
  | readonly (keyof Row & string)[]
  | { readonly method: 'gin'; readonly fields: readonly (keyof Row & string)[] };

/** A Postgres table. `timestamptz` columns hold Instants, `bigint` columns decimal strings. */
export interface TableView<Row extends ViewRow = ViewRow> extends ViewBase<Row> {
  readonly store: 'postgres';
  readonly columns: { readonly [Column in keyof Row & string]: ColumnType };
  /** The tenant `*` reads the rows of all tenants. */
  readonly operators?: true;
  readonly indexes?: readonly TableIndex<Row>[];
}

/** An Elasticsearch index: whole documents only. */
export interface IndexView<Row extends ViewRow = ViewRow> extends ViewBase<Row> {
  readonly store: 'elastic';
  /** Of every field: a document with another one is refused. */
  readonly mappings: { readonly [Field in keyof Row & string]: FieldMapping };
  readonly settings?: IndexSettings;
}

/** Redis: one hash per row at `<prefix><name>:<generation>:<key fields>`. */
export interface KeysView<Row extends ViewRow = ViewRow> extends ViewBase<Row> {
  readonly store: 'redis';
  /** Also appends each change to a capped change feed; milliseconds for which an entry is retained. */
  readonly feedMilliseconds?: number;
}

export type View<Row extends ViewRow = ViewRow> = TableView<Row> | IndexView<Row> | KeysView<Row>;

/** Names a view, to read its checkpoint. */
export type NamedView = Pick<View, 'name' | 'store'>;

/**
 * `merge` is a `put` that leaves some fields of a row as they are (Postgres); `patch` needs a row (not Elasticsearch). `patch-where`
 * patches every row that has those values (Postgres); an index should find them. `whenErased` is for personal views, which take no
 * `merge` and no `patch-where`.
 */
export type Change<Row extends ViewRow = ViewRow> =
  | { readonly kind: 'patch-where'; readonly where: Partial<Row>; readonly fields: Partial<Row> }
  | { readonly kind: 'put'; readonly row: Row; readonly whenErased?: WhenErased }
  | { readonly kind: 'merge'; readonly row: Row; readonly keep: readonly (keyof Row & string)[] }
  | {
      readonly kind: 'patch';
      readonly key: Partial<Row>;
      readonly fields: Partial<Row>;
      readonly whenErased?: WhenErased;
    }
  | { readonly kind: 'remove'; readonly key: Partial<Row> }
  | EraseKeys;

/**
 * Gives every row of the tenant the values that it has without these keys. A store does so after all other changes of the batch, because
 * no event that follows an erasure is read with an erased key.
 */
export interface EraseKeys {
  readonly kind: 'erase';
  readonly tenantId: string;
  readonly keys: readonly string[];
}

/** One physical copy of a view; the active one serves reads, another may be filling beside it. */
export interface Generation {
  readonly number: number;
  /** The view's version that it was built with. */
  readonly version: number;
  /** The last position applied; null before the first. */
  readonly position: bigint | null;
}

export interface Batch {
  readonly generation: number;
  /** The position this batch continues from: compared and set with the rows. */
  readonly after: bigint | null;
  readonly position: bigint;
  /** Readers may wait for these rows: make them visible to searches before the checkpoint moves. */
  readonly live: boolean;
  /** The view has caught up with the log; readers of its change feed are notified. */
  readonly isCaughtUp?: boolean;
  /** In log order, each with the position of its event. */
  readonly changes: readonly { readonly position: bigint; readonly change: Change }[];
}

export type ViewFault = Fault<'view-store-unavailable'>;
/** Another projector or a switch moved the checkpoint: read it again. */
export type CheckpointMoved = Fault<'checkpoint-moved'>;
/** A rebuild compares this view right now: wait and try again. */
export type WritesPaused = Fault<'view-held'>;
/** The store will never take these rows: trying again is useless. */
export type ViewRefused = Fault<'view-refused'>;
/** What the generation's rows were written to is gone, emptied or damaged: they are to be built again from the log. */
export type ViewLost = Fault<'view-lost'>;
/** Another process is rebuilding this view. */
export type RebuildInProgress = Fault<'view-building'>;

export type ApplyFault = ViewFault | CheckpointMoved | WritesPaused | ViewRefused | ViewLost;

/** The projecting side of a view's store. */
export interface ViewWriter {
  /** The active generation; the first one is created when there is none. */
  readonly open: (view: View) => Promise<Either<ViewFault, Generation>>;
  /** Rows and checkpoint together, or nothing. */
  readonly apply: (view: View, batch: Batch) => Promise<Either<ApplyFault, void>>;
  /**
   * Whether the generation still takes rows, and has the written ones. Called at intervals, because a store can lose rows, and
   * another process switch to another generation, while nothing is written. Redis leaves switches to the next write.
   */
  readonly verify: (view: View, generation: number) => Promise<Either<ViewFault | ViewLost | CheckpointMoved, void>>;
  /**
   * Begins a generation beside the active one. A view has one builder at a time, until it activates, drops or releases the generation,
   * or its process ends. The generation is empty, or the unfinished one of an earlier builder with the same recipe, at that one's
   * checkpoint. Other unfinished generations are dropped; without a recipe, all are.
   */
  readonly beginRebuild: (view: View, recipe?: string) => Promise<Either<ViewFault | RebuildInProgress, Generation>>;
  /** Stops building; what is there waits for the next builder. */
  readonly releaseRebuild: (view: View) => Promise<Either<ViewFault, void>>;
  /** Pauses `apply` to the active generation for some milliseconds (0 resumes it), and returns that generation. */
  readonly pauseWrites: (view: View, milliseconds: number) => Promise<Either<ViewFault, Generation>>;
  /** Order-independent: the number of rows and the sum of their hashes. */
  readonly digest: (view: View, generation: number) => Promise<Either<ViewFault, ViewDigest>>;
  /** Switches readers and projectors over. The earlier generation takes no more rows, and stays until it is swept. */
  readonly activate: (view: View, generation: number) => Promise<Either<ViewFault, void>>;
  readonly drop: (view: View, generation: number) => Promise<Either<ViewFault, void>>;
  /**
   * Drops generations that were switched away from at least so many milliseconds ago, and unfinished ones that no builder has
   * written to for `abandoned` milliseconds; returns their numbers.
   */
  readonly sweep: (
    view: View,
    milliseconds: number,
    abandoned?: number,
  ) => Promise<Either<ViewFault, readonly number[]>>;
  readonly close: () => Promise<void>;
}

export interface ViewDigest {
  readonly rows: number;
  readonly hash: string;
}

/** The querying side: reads only the active generation, only of one tenant; `*` where the view is for operators. */
export interface ViewReader {
  readonly find: <Row extends ViewRow>(
    view: View<Row>,
    tenantId: string,
    key: Partial<Row>,
  ) => Promise<Either<ViewFault, Row | undefined>>;
  /** In the order of the keys, undefined where there is no row. At most 1,000 keys. */
  readonly findMany: <Row extends ViewRow>(
    view: View<Row>,
    tenantId: string,
    keys: readonly Partial<Row>[],
  ) => Promise<Either<ViewFault, readonly (Row | undefined)[]>>;
  /** At most `limit` rows; Postgres and Elasticsearch. */
  readonly page: <Row extends ViewRow>(
    view: View<Row>,
    tenantId: string,
    request: PageRequest<Row>,
  ) => Promise<Either<ViewFault, readonly Row[]>>;
  /** Where the active generation stands; undefined before the first projector ran. */
  readonly checkpoint: (view: NamedView) => Promise<Either<ViewFault, bigint | null | undefined>>;
  readonly close: () => Promise<void>;
}

export type Scalar = string | number | boolean | null;

/** Every row of every view belongs to a tenant and has the revision of the event that last changed it. */
export interface ViewRow {
  readonly tenantId: string;
  /** Of the stream's event that last changed the row. */
  readonly revision: number;
}

export interface PageRequest<Row extends ViewRow = ViewRow> {
  readonly where: { readonly [Field in keyof Row & string]?: Scalar | readonly Scalar[] };
  /** Inclusive lower and exclusive upper bounds. */
  readonly between?: { readonly field: keyof Row & string; readonly from?: Scalar; readonly to?: Scalar };
  /** A list that has all of the values; Postgres only. */
  readonly all?: { readonly field: keyof Row & string; readonly values: readonly string[] };
  /** Full text over these fields; Elasticsearch only. */
  readonly search?: { readonly text: string; readonly fields: readonly (keyof Row & string)[] };
  /** Somewhere in a text, as written; Postgres only, which reads every row of the tenant for it. */
  readonly contains?: { readonly field: keyof Row & string; readonly text: string };
  /** A total order: ends with a unique field. */
  readonly order: readonly { readonly field: keyof Row & string; readonly direction: 'asc' | 'desc' }[];
  /** The order fields of the row before the page. */
  readonly after?: readonly Scalar[];
  readonly limit: number;
}
