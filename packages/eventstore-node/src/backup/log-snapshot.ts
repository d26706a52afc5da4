/** What can be told of a log that another process may be serving: LMDB keeps readers apart from the writer. */

import { rmSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';
import { logFileOf, numberOf, openReadOnlyTables, type ReadOnlyTables } from '../storage/lmdb-tables';
import { isIntact } from '../storage/records/record-format';

export type LogSnapshot = ReadOnlyTables;

/** Undefined when there is none. Throws what LMDB has against its file. */
export const withSnapshot = async <Result>(
  directory: string,
  use: (snapshot: LogSnapshot) => Result | Promise<Result>,
): Promise<Result | undefined> => {
  const snapshot = openReadOnlyTables(directory);
  if (snapshot === undefined) return undefined;
  try {
    return await use(snapshot);
  } finally {
    await snapshot.root.close();
  }
};

interface RecordExtent {
  readonly position: number;
  readonly length: number;
  readonly intact: boolean;
}

const readOutermost = ({ log }: LogSnapshot, reverse: boolean): RecordExtent | undefined => {
  for (const { key, value } of log.getRange({ reverse, limit: 1 }))
    return { position: numberOf(key), length: value.length, intact: isIntact(value) };
  return undefined;
};

export interface LogExtent {
  readonly first: number;
  readonly last: number;
  /** Where the newest record ends. */
  readonly end: number;
  readonly intact: boolean;
}

/** From the oldest record to the newest; undefined when there is none. */
export const readExtent = (snapshot: LogSnapshot): LogExtent | undefined => {
  const [head, tail] = [readOutermost(snapshot, false), readOutermost(snapshot, true)];
  if (head === undefined || tail === undefined) return undefined;
  const intact = head.intact && tail.intact;
  return { first: head.position, last: tail.position, end: tail.position + tail.length, intact };
};

interface TableStats {
  readonly entryCount: number;
  readonly pageSize: number;
  readonly treeDepth: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

export interface EnvironmentStats extends TableStats {
  readonly mapSize: number;
  readonly lastPageNumber: number;
  readonly free: TableStats;
}

/** lmdb declares no more than that it is an object. */
export const statsOf = (table: { getStats(): object }): EnvironmentStats => table.getStats() as EnvironmentStats;

export const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: TableStats): number =>
  treeBranchPageCount + treeLeafPageCount + overflowPages;

/** What a data file holds, as far as a few looks tell. */
export interface LogContents {
  readonly events: number;
  readonly streams: number;
  readonly endPosition: number | null;
}

const inspect = (snapshot: LogSnapshot): Either<string, LogContents> => {
  const extent = readExtent(snapshot);
  if (extent !== undefined && !extent.intact)
    return left(`its first or last record is damaged (positions ${extent.first} and ${extent.last})`);
  return right({
    events: statsOf(snapshot.log).entryCount,
    streams: statsOf(snapshot.streams).entryCount,
    endPosition: extent?.last ?? null,
  });
};

/** Of a directory that nobody serves: LMDB's own lock file is taken away again. Left says why it cannot be used. */
export const readLogContents = async (directory: string): Promise<Either<string, LogContents>> => {
  try {
    return (await withSnapshot(directory, inspect)) ?? left('it holds no log');
  } catch (error) {
    return left((error as Error).message);
  } finally {
    rmSync(`${logFileOf(directory)}-lock`, { force: true });
  }
};
