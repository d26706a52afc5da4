/** The open log: its tables and caches. */
import { openTables, type Tables } from './lmdb-tables';
import type { RecentEventIds } from './recent-event-ids';
import { loadRecentEventIds } from './recent-event-ids';
import { createHeadCache, type StreamHeads } from './streams/stream-heads';

export interface Storage {
  readonly tables: Tables;
  /** Committed heads. */
  readonly heads: StreamHeads;
  readonly ids: RecentEventIds;
}

export const openStorage = (directory: string): Storage => {
  const tables = openTables(directory);
  return { tables, heads: createHeadCache(tables), ids: loadRecentEventIds(tables) };
};
