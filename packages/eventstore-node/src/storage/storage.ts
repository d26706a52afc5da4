/** What is on disk, and the little of it that is kept in memory. */
import { openTables, type Tables } from './lmdb-tables';
import type { RecentEventIds } from './recent-event-ids';
import { loadRecentEventIds } from './recent-event-ids';
import { createHeadCache, type StreamHeads } from './streams/stream-heads';

export interface Storage {
  readonly tables: Tables;
  /** As committed. */
  readonly heads: StreamHeads;
  readonly ids: RecentEventIds;
}

export const openStorage = (directory: string): Storage => {
  const tables = openTables(directory);
  return { tables, heads: createHeadCache(tables), ids: loadRecentEventIds(tables) };
};
