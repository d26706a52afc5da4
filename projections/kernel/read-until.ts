/** The recorded past of some streams, up to a position. */

import { backoff } from '../../infra/backoff';
import type { EventStore, StoredEvent } from '../../infra/ports/event-store';
import { troubleOf } from './trouble';

export interface Stretch {
  /** Exclusive. */
  readonly after: bigint | null;
  /** Inclusive. */
  readonly until: bigint;
  readonly streams: readonly string[];
  readonly signal: AbortSignal;
  /** Told when the log or the vault is away; it is tried again from where it broke. */
  readonly waiting: (detail: string) => void;
}

/** A function, because the compiler takes a flag it has just read to stay as it was. */
const isAborted = ({ signal }: Stretch): boolean => signal.aborted;

export async function* readUntil(store: EventStore, stretch: Stretch): AsyncGenerator<StoredEvent, void> {
  const { until, streams, signal, waiting } = stretch;
  let { after } = stretch;
  for (let attempt = 0; !isAborted(stretch); attempt += 1) {
    try {
      for await (const event of store.readAll({ after, filter: { streams } })) {
        if (event.position > until || isAborted(stretch)) return;
        after = event.position;
        attempt = 0;
        yield event;
        if (event.position === until) return;
      }
      return;
    } catch (error) {
      waiting(troubleOf(error));
      await backoff(attempt, signal);
    }
  }
}
