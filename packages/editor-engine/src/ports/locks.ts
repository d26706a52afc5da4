/** Port: locks and messages between tabs or processes that share a store. */
export type Release = () => void;

export interface Locks {
  /** Undefined if another holder has it. */
  readonly tryAcquire: (name: string) => Promise<Release | undefined>;
  /** Resolves when the lock is free; undefined once the signal is aborted. */
  readonly acquire: (name: string, signal: AbortSignal) => Promise<Release | undefined>;
  /** Sends a message to all other subscribers of the topic. */
  readonly publish: (topic: string, message: string) => void;
  /** Returns the function that unsubscribes. */
  readonly subscribe: (topic: string, listener: (message: string) => void) => () => void;
}
