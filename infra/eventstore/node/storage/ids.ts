/**
 * The ids of the newest events, so that a repeated append with `any` is recognised, also after a restart. Bounded: an id
 * is forgotten after that many later events. An id is remembered for the stream that used it first.
 */

import { numberOf, positionKey, type Tables } from './database';
import { createIdTable, type KnownId, type RecentIds } from './id-table';
import { idOf, isIntact, revisionOf, streamNumberOf, tombstoneRevision } from './record';

const mostRemembered = 100_000;
/** What a start may read of the log: events can be large, and nobody waits for gigabytes. */
const mostRecalled = 64 * 1024 * 1024;

/** Positions are byte offsets, so that the keys alone tell how much would be read. */
const whereToBegin = ({ log }: Tables): number | undefined => {
  let end: number | undefined;
  let begin: number | undefined;
  for (const key of log.getKeys({ reverse: true, limit: mostRemembered })) {
    const position = numberOf(key);
    end ??= position;
    if (end - position > mostRecalled) break;
    begin = position;
  }
  return begin;
};

/** Reads them back from the end of the log. */
export const recallIds = (tables: Tables): RecentIds => {
  const ids = createIdTable(mostRemembered);
  const begin = whereToBegin(tables);
  if (begin === undefined) return ids;
  for (const { key, value } of tables.log.getRange({ start: positionKey(begin) })) {
    // Damage is for reads and for verify to report; it must not keep the node from serving the rest.
    if (!isIntact(value)) continue;
    const revision = revisionOf(value);
    if (revision === tombstoneRevision) continue;
    ids.set(idOf(value), { stream: streamNumberOf(value), revision, position: numberOf(key) });
  }
  return ids;
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
