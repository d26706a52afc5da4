/** Which event log the positions of an installation belong to. */
import type { Either } from 'fp-ts/Either';
import type { EventStoreFault } from './event-store';
import type { ViewFault } from './views/view-store';

/** An event that the log has at this position. An import gives events other positions, so a copy of the log has another event there. */
export interface LogAnchor {
  readonly position: bigint;
  readonly eventId: string;
}

export interface LogIdentity {
  /** UUID, made when the installation first used the log. Cursors and rows in Redis name it. */
  readonly id: string;
  /** Where the log was last reached: its hosts, without accounts. */
  readonly address: string;
  /** The newest event that was seen in it; null while it was empty. */
  readonly anchor: LogAnchor | null;
  /** No other log was used before with this database. */
  readonly isFirst: boolean;
}

/** What the installation's database knows about its log. */
export interface LogRecord {
  /** Undefined before a log was recorded. */
  readonly identity: () => Promise<Either<ViewFault, LogIdentity | undefined>>;
  /** The furthest checkpoint of views and processes; null when nothing was read yet. */
  readonly furthestCheckpoint: () => Promise<Either<ViewFault, bigint | null>>;
  /** Records the log where none is recorded, and returns what is recorded then. */
  readonly establish: (address: string, anchor: LogAnchor | null) => Promise<Either<ViewFault, LogIdentity>>;
  /** Moves the anchor forwards, and notes where the log is. An earlier anchor changes nothing. */
  readonly advance: (id: string, address: string, anchor: LogAnchor) => Promise<Either<ViewFault, void>>;
  readonly close: () => Promise<void>;
}

/** What the log itself shows. */
export interface LogAnchors {
  /** The newest event that is not the server's own; null in an empty log. */
  readonly newest: () => Promise<Either<EventStoreFault, LogAnchor | null>>;
  /** The id of the event at exactly this position; undefined when there is none. */
  readonly eventAt: (position: bigint) => Promise<Either<EventStoreFault, string | undefined>>;
  /** Of the newest event, also the server's own. */
  readonly head: () => Promise<Either<EventStoreFault, bigint | null>>;
  readonly close: () => Promise<void>;
}
