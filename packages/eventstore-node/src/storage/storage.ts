/** What is on disk, and the little of it that is kept in memory. */
import { openTables, type Tables } from './database';
import { cacheHeads, type Heads } from './heads';
import type { RecentIds } from './id-table';
import { recallIds } from './ids';

export interface Storage {
  readonly tables: Tables;
  /** As committed. */
  readonly heads: Heads;
  readonly ids: RecentIds;
}

export const openStorage = (directory: string): Storage => {
  const tables = openTables(directory);
  return { tables, heads: cacheHeads(tables), ids: recallIds(tables) };
};
