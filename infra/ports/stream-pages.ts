/** Paged reads of one stream or the whole log, for explorers. */
import type { Either } from 'fp-ts/Either';
import type { EventStoreFault, StoredEvent } from './event-store';

export interface StreamPage {
  readonly stream: string;
  /** Inclusive; left out, from the first event or the last. */
  readonly from?: number;
  readonly direction: 'forwards' | 'backwards';
  readonly limit: number;
  /** Of their JSON; the event that goes beyond is the last. */
  readonly mostBytes: number;
}

/** An event with its secrets still encrypted: such fields read `{ sealed: true }`. */
export interface ExplorerEvent extends StoredEvent {
  /** The key of each sealed field. */
  readonly sealedWith: { readonly [field: string]: string };
}

export interface ReadPage<Event = StoredEvent> {
  /** None where there is no such stream, or nothing in that direction. */
  readonly events: readonly Event[];
  /** They were too large: there may be more. */
  readonly cut: boolean;
}

export type StreamReader = (page: StreamPage) => Promise<Either<EventStoreFault, ReadPage>>;

export interface LogPages {
  readonly stream: (page: StreamPage) => Promise<Either<EventStoreFault, ReadPage<ExplorerEvent>>>;
  /** As `readAll` of the event store; throws when the store goes away. */
  readonly all: (request: {
    readonly after: bigint | null;
    readonly direction: 'forwards' | 'backwards';
  }) => AsyncIterable<ExplorerEvent>;
  readonly close: () => Promise<void>;
}
