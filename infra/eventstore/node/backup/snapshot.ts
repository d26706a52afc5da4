/** A data file opened to be read, beside whoever serves it: LMDB keeps readers of other processes apart from the writer. */
import { open } from 'lmdb';
import { numberOf, type Tables } from '../storage/database';
import { isIntact } from '../storage/record';

export const dataFile = 'events.mdb';

export type Snapshot = Pick<Tables, 'root' | 'log' | 'events' | 'streams'>;

/** Throws what LMDB has against the file. */
export const openSnapshot = (path: string): Snapshot => {
  const binary = { encoding: 'binary', keyEncoding: 'binary' } as const;
  const root = open<Buffer, Buffer>({ path, ...binary, readOnly: true, maxDbs: 8 });
  const table = (name: string) => root.openDB<Buffer, Buffer>({ name, ...binary });
  return { root, log: table('log'), events: table('events'), streams: table('streams') };
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
