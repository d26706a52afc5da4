/**
 * The ids of the newest events, so that a repeated append with `any` is recognised, also after a restart. Bounded: an id
 * is forgotten after that many later events. An id is remembered for the stream that used it first.
 */

import { isOpen, numberOf, positionKey, type Tables } from './database';
import { createIdTable, type KnownId, type RecentIds } from './id-table';
import { endOf } from './read';
import { idOf, isIntact, revisionOf, streamNumberOf, tombstoneRevision } from './record';

const mostRemembered = 100_000;
/** What a start may read of the log: events can be large, and nobody waits for gigabytes. */
const mostRecalled = 64 * 1024 * 1024;

/** Positions are byte offsets: they tell how much would be read. */
const whereToBegin = (tables: Tables): number => {
  const byBytes = (endOf(tables) ?? 0) - mostRecalled;
  for (const key of tables.log.getKeys({ reverse: true, offset: mostRemembered - 1, limit: 1 }))
    return Math.max(numberOf(key), byBytes);
  return Math.max(0, byBytes);
};

/** Reads so many more of what was stored when it was opened. */
const createRecall = (tables: Tables, ids: RecentIds): ((limit: number) => void) => {
  // What is written later is told as it commits: read here, it might be taken for stored while it is not yet.
  const end = endOf(tables) ?? -1;
  let from = whereToBegin(tables);
  return (limit) => {
    if (from > end) return;
    const range = { start: positionKey(from), end: positionKey(end + 1), limit };
    from = end + 1;
    let left = limit;
    for (const { key, value } of tables.log.getRange(range)) {
      left -= 1;
      const position = numberOf(key);
      if (left === 0) from = position + 1;
      // Damage is for reads and for verify to report; it must not keep the node from serving the rest.
      if (!isIntact(value)) continue;
      const revision = revisionOf(value);
      if (revision !== tombstoneRevision) ids.set(idOf(value), { stream: streamNumberOf(value), revision, position });
    }
  };
};

/** A few milliseconds. */
const recalledAtOnce = 1_000;

/**
 * Reads them back from the end of the log, a slice at a time: a start does not wait for it. Whoever asks before all are
 * there waits for the rest.
 */
export const recallIds = (tables: Tables): RecentIds => {
  const ids = createIdTable(mostRemembered);
  const recall = createRecall(tables, ids);
  let left = mostRemembered;
  const goOn = (): void => {
    if (left <= 0 || !isOpen(tables)) return;
    recall(recalledAtOnce);
    left -= recalledAtOnce;
    setImmediate(goOn);
  };
  setImmediate(goOn);
  return {
    get: (id) => {
      recall(mostRemembered);
      return ids.get(id);
    },
    set: (id, known) => {
      recall(mostRemembered);
      ids.set(id, known);
    },
  };
};

/** Ids inside a transaction: forgotten with it when it fails. */
export const overlayIds = (committed: RecentIds): RecentIds & { readonly publish: () => void } => {
  const added = new Map<string, KnownId>();
  return {
    get: (id) => committed.get(id) ?? added.get(id),
    set: (id, known) => {
      if (!added.has(id)) added.set(id, known);
    },
    publish: () => {
      for (const [id, known] of added) committed.set(id, known);
    },
  };
};
