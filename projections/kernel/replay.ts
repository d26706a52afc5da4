/** Writes the recorded past into one generation of a view. */
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import { type Prepared, prepare, type Writing, type Written, write } from './batch';
import { type Projection, prefixesOf } from './projection';
import { readUntil } from './read-until';
import type { Poison } from './recorded';

/** Where one generation stands; moves as batches are written. */
export interface Cursor {
  readonly generation: number;
  position: bigint | null;
}

export interface Step {
  readonly events: readonly StoredEvent[];
  readonly prepared: Prepared;
  /** Where the view stands once the events are in. */
  readonly position: bigint | null;
  readonly live: boolean;
}

export interface Replaying extends Writing {
  readonly store: EventStore;
  readonly projection: Projection;
  readonly cursor: Cursor;
  /** Told after every batch. */
  readonly applied: (step: Step, position: bigint, seconds: number) => void;
}

export type Advanced = Written | { readonly kind: 'poisoned'; readonly poison: Poison };

/** The last event before the one that cannot be taken. */
const lastGood = ({ events }: Step, { eventId }: Poison): bigint | null =>
  events[events.findIndex(({ id }) => id === eventId) - 1]?.position ?? null;

export const advance = async (replaying: Replaying, step: Step): Promise<Advanced> => {
  const { cursor, projection } = replaying;
  const { changes, poison } = step.prepared;
  const position = poison === undefined ? step.position : lastGood(step, poison);
  const isBeat = step.live && step.events.length === 0;
  const isAhead = position !== null && (cursor.position === null || position > cursor.position);
  if (position !== null && (isAhead || isBeat)) {
    const began = performance.now();
    const batch = { generation: cursor.generation, after: cursor.position, position, live: step.live, changes };
    const written = await write(replaying, projection.view, batch);
    if (written.kind !== 'written') return written;
    cursor.position = position;
    replaying.applied(step, position, (performance.now() - began) / 1000);
  }
  return poison === undefined ? { kind: 'written' } : { kind: 'poisoned', poison };
};

/** While one batch is being written, the next is read and decoded. */
export const replay = async (replaying: Replaying, until: bigint): Promise<Advanced> => {
  const { store, projection, cursor, signal } = replaying;
  const stretch = { after: cursor.position, until, streams: prefixesOf([projection]), signal };
  let writing: Promise<Advanced> = Promise.resolve({ kind: 'written' });
  for await (const events of readUntil(store, stretch)) {
    const prepared = prepare(projection, events);
    const before = await writing;
    if (before.kind !== 'written') return before;
    writing = advance(replaying, { events, prepared, position: events.at(-1)?.position ?? null, live: false });
  }
  const last = await writing;
  if (last.kind !== 'written') return last;
  if (signal.aborted) return { kind: 'drained' };
  return advance(replaying, { events: [], prepared: { changes: [] }, position: until, live: false });
};
