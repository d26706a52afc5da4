/** How events become state: given by main, since the query side knows no rules. */
import type { Either } from 'fp-ts/Either';
import type { StoredEvent } from '../../infra/ports/event-store';

export interface Folded {
  readonly before: unknown;
  readonly after: unknown;
}

export interface States {
  /** Whether such streams have a state at all. */
  readonly has: (stream: string) => boolean;
  /** Around the last of these events, which are all of their stream up to it; left: why there is none. */
  readonly around: (events: readonly StoredEvent[]) => Either<string, Folded>;
  /** Fields that are personal by now, also in versions of the event that were recorded before they were. */
  readonly secretsOf: (stream: string, storedType: string) => readonly string[];
}
