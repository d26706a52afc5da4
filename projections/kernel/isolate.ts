/** A store refuses rows, not events: which event it is, so that somebody can look at it, and skip it by name. */
import type { Batch } from '../../infra/ports/view-store';
import { mostEvents, type Written, write } from './batch';
import { prefixesOf } from './projection';
import type { Poison } from './recorded';
import type { Replaying, Step } from './replaying';

export type Isolated = Written | { readonly kind: 'poisoned'; readonly poison: Poison };
type Changes = Batch['changes'];

const byEvent = (changes: Changes): ReadonlyMap<bigint, Changes> => {
  const events = new Map<bigint, Changes[number][]>();
  for (const change of changes) {
    const same = events.get(change.position);
    if (same === undefined) events.set(change.position, [change]);
    else same.push(change);
  }
  return events;
};

/** Read again: a batch keeps changes only. */
const named = async ({ store, projection, cursor }: Replaying, position: bigint, reason: string): Promise<Isolated> => {
  const filter = { streams: prefixesOf([projection]) };
  for await (const event of store.readAll({ after: cursor.position, filter, limit: mostEvents })) {
    if (event.position > position) break;
    const { id: eventId, stream, revision, type } = event;
    if (event.position === position)
      return { kind: 'poisoned', poison: { eventId, stream, revision, position, type, reason } };
  }
  return { kind: 'refused', detail: reason };
};

/** Writes event by event up to the one that is refused. */
export const isolate = async (replaying: Replaying, { gathered, live }: Step): Promise<Isolated> => {
  const { cursor, projection } = replaying;
  for (const [position, changes] of byEvent(gathered.changes)) {
    const { generation, position: after } = cursor;
    const batch = { generation, after, position, live, changes };
    const written = await write(replaying, projection.view, batch);
    if (written.kind === 'refused') return named(replaying, position, written.detail);
    if (written.kind !== 'written') return written;
    cursor.position = position;
  }
  return { kind: 'written' };
};
