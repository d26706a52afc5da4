/** Moves logs that have ended out of rows, and removes what is older than logs are retained. Any number of processes may do so at once. */
import type { Either } from 'fp-ts/Either';
import type { LogLocation, LogStoreFault } from './log-store';

type Handled = Promise<Either<LogStoreFault, LogLocation | undefined>>;

/**
 * Each call handles one log, and answers undefined when there is none to handle. A log is claimed for a while: one that fails, or whose process
 * dies, is tried again later, and others go before it.
 */
export interface LogRetention {
  /** Copies chunks of a log that takes no more of them into one object, then drops their rows. It is read the same before, during and after. */
  readonly compact: () => Handled;
  /** Removes a log that is older than logs are retained. That it was there stays known. */
  readonly expire: () => Handled;
  /** A log that was begun a while ago and has not ended, for the caller to look whether its attempt has. */
  readonly findOpen: () => Handled;
}
