/**
 * The ids of the newest events, so that a repeated append with `any` is recognised, also after a restart. Bounded: an id
 * is forgotten after that many later events. An id is remembered for the stream that used it first.
 */

import type { Tables } from './database';
import { idOf, revisionOf, streamNumberOf, tombstoneRevision } from './record';

export interface KnownId {
  readonly stream: number;
  readonly revision: number;
}

export interface RecentIds {
  readonly get: (id: string) => KnownId | undefined;
  readonly set: (id: string, known: KnownId) => void;
}

const mostRemembered = 100_000;

const emptyIds = (): RecentIds => {
  const known = new Map<string, KnownId>();
  return {
    get: (id) => known.get(id),
    set: (id, place) => {
      if (known.has(id)) return;
      known.set(id, place);
      if (known.size > mostRemembered) known.delete(known.keys().next().value as string);
    },
  };
};

/** Reads them back from the end of the log. */
export const recallIds = ({ log }: Tables): RecentIds => {
  const ids = emptyIds();
  const newest: Buffer[] = [];
  for (const key of log.getKeys({ reverse: true, limit: mostRemembered })) newest.push(key);
  for (const key of newest.reverse()) {
    const record = log.get(key);
    if (record === undefined) continue;
    const revision = revisionOf(record);
    if (revision !== tombstoneRevision) ids.set(idOf(record), { stream: streamNumberOf(record), revision });
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
