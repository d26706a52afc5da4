/** What a data file holds, as far as a few looks tell. */
import { rmSync } from 'node:fs';
import { type Either, left, right } from 'fp-ts/Either';
import { fileOf } from '../storage/database';
import { extentOf, type Snapshot, statsOf, withSnapshot } from './snapshot';

export interface Contents {
  readonly events: number;
  readonly streams: number;
  readonly endPosition: number | null;
}

const look = (snapshot: Snapshot): Either<string, Contents> => {
  const extent = extentOf(snapshot);
  if (extent !== undefined && !extent.intact)
    return left(`its first or last record is damaged (positions ${extent.first} and ${extent.last})`);
  return right({
    events: statsOf(snapshot.log).entryCount,
    streams: statsOf(snapshot.streams).entryCount,
    endPosition: extent?.last ?? null,
  });
};

/** Of a directory that nobody serves: LMDB's own lock file is taken away again. Left says why it cannot be used. */
export const contentsOf = async (directory: string): Promise<Either<string, Contents>> => {
  try {
    return (await withSnapshot(directory, look)) ?? left('it holds no log');
  } catch (error) {
    return left((error as Error).message);
  } finally {
    rmSync(`${fileOf(directory)}-lock`, { force: true });
  }
};
