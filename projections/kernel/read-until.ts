/** The recorded past of some streams, up to a position. */
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';

export interface Stretch {
  /** Exclusive. */
  readonly after: bigint | null;
  /** Inclusive. */
  readonly until: bigint;
  readonly streams: readonly string[];
  readonly signal: AbortSignal;
}

/** A subscription that is left at the end, because only subscriptions are filtered by the server. Throws when the log goes away. */
export async function* readUntil(
  store: EventStore,
  { after, until, streams, signal }: Stretch,
): AsyncGenerator<StoredEvent, void> {
  for await (const told of store.subscribeAll({ after, filter: { streams }, signal })) {
    if (told.kind === 'event') {
      if (told.event.position > until) return;
      yield told.event;
      if (told.event.position === until) return;
    } else if (told.kind === 'caught-up' || told.position >= until) return;
  }
}
