/** The recorded past of some streams, in batches, up to a position. */
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import { mostEvents } from './batch';

export interface Stretch {
  /** Exclusive. */
  readonly after: bigint | null;
  /** Inclusive. */
  readonly until: bigint;
  readonly streams: readonly string[];
  readonly signal: AbortSignal;
}

/**
 * A subscription that is left at the end, because only subscriptions are filtered by the server.
 * Throws when the log goes away; the last batch may be empty.
 */
export async function* readUntil(
  store: EventStore,
  { after, until, streams, signal }: Stretch,
): AsyncGenerator<readonly StoredEvent[]> {
  let batch: StoredEvent[] = [];
  for await (const told of store.subscribeAll({ after, filter: { streams }, signal })) {
    if (told.kind === 'caught-up') break;
    if (told.kind === 'checkpoint' && told.position < until) continue;
    if (told.kind === 'checkpoint') break;
    if (told.event.position > until) break;
    batch.push(told.event);
    if (told.event.position === until) break;
    if (batch.length < mostEvents) continue;
    yield batch;
    batch = [];
  }
  if (!signal.aborted) yield batch;
}
