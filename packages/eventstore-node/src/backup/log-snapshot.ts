/** Reads a log that another process may be serving: LMDB isolates readers from the writer. */

import { rmSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';
import { logFileOf, numberOf, openReadOnlyTables, type ReadOnlyTables } from '../storage/lmdb-tables';
import { isIntact } from '../storage/records/record-format';

export type LogSnapshot = ReadOnlyTables;

/** Undefined when there is none. Throws when LMDB cannot open the file. */
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
  /** The end of the newest record. */
  readonly end: number;
  readonly intact: boolean;
}

/** The positions of the oldest and the newest record; undefined when there is none. */
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

/** lmdb's types declare it only as an object. */
export const statsOf = (table: { getStats(): object }): EnvironmentStats => table.getStats() as EnvironmentStats;

export const pagesOf = ({ treeBranchPageCount, treeLeafPageCount, overflowPages }: TableStats): number =>
  treeBranchPageCount + treeLeafPageCount + overflowPages;

/** The contents of a data file, as far as a few reads show. */
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

/**
 * Reads a directory that is not served, and removes LMDB's lock file afterwards. Left: why the log cannot be used.
 */
export const readLogContents = async (directory: string): Promise<Either<string, LogContents>> => {
  try {
    return (await withSnapshot(directory, inspect)) ?? left('it has no log');
  } catch (error) {
    return left((error as Error).message);
  } finally {
    rmSync(`${logFileOf(directory)}-lock`, { force: true });
  }
};
