/** What can be told of a log that another process may be serving: LMDB keeps readers apart from the writer. */
import { numberOf, openTablesToRead, type TablesToRead } from '../storage/database';
import { isIntact } from '../storage/record';

export type Snapshot = TablesToRead;

/** Undefined when there is none. Throws what LMDB has against its file. */
export const withSnapshot = async <Result>(
  directory: string,
  use: (snapshot: Snapshot) => Result | Promise<Result>,
): Promise<Result | undefined> => {
  const snapshot = openTablesToRead(directory);
  if (snapshot === undefined) return undefined;
  try {
    return await use(snapshot);
  } finally {
    await snapshot.root.close();
  }
};

interface Place {
  readonly position: number;
  readonly length: number;
  readonly intact: boolean;
}

const edge = ({ log }: Snapshot, reverse: boolean): Place | undefined => {
  for (const { key, value } of log.getRange({ reverse, limit: 1 }))
    return { position: numberOf(key), length: value.length, intact: isIntact(value) };
  return undefined;
};

export interface Extent {
  readonly first: number;
  readonly last: number;
  /** Where the newest record ends. */
  readonly end: number;
  readonly intact: boolean;
}

/** From the oldest record to the newest; undefined when there is none. */
export const extentOf = (snapshot: Snapshot): Extent | undefined => {
  const [head, tail] = [edge(snapshot, false), edge(snapshot, true)];
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
