/** Write-behind queue of the store: writes in order; changes that arrive during a write go into the next one. */

import type { DocumentStore, StoreChange } from '../ports/document-store';
import type { Platform } from '../ports/platform';
import {
  addChange,
  type DurabilityCallback,
  emptyWriteBatch,
  mergeFailed,
  notifyAll,
  toStoreChange,
  type WriteBatch,
} from './write-batch';

export interface WriteQueue {
  readonly enqueue: (change: StoreChange, callback?: DurabilityCallback) => void;
  /** Resolves when everything is written; false if that failed. */
  readonly flush: () => Promise<boolean>;
  readonly isFailing: () => boolean;
  /** Writes the full state again. */
  readonly rewriteAll: () => void;
  readonly close: () => void;
}

export interface WriteQueueOptions {
  readonly store: DocumentStore;
  readonly platform: Platform;
  /** Called once when writing starts to fail. */
  readonly failed: (error: unknown) => void;
  /** Called when writing fails or recovers. */
  readonly changed: () => void;
  /** The full state: after a failure the store's contents are unknown. */
  readonly everything: () => StoreChange;
}

interface WriteQueueState {
  readonly options: WriteQueueOptions;
  batch: WriteBatch | undefined;
  writing: Promise<void> | undefined;
  isFailing: boolean;
  /** Cancels the scheduled retry. */
  cancel: (() => void) | undefined;
}

const writeTimeoutMilliseconds = 10_000;
const retryMilliseconds = 2_000;

/** A store that never answers counts as failed. */
const writeWithTimeout = ({ options: { store, platform } }: WriteQueueState, change: StoreChange): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = platform.schedule(writeTimeoutMilliseconds, () => reject(new Error('The store does not answer.')));
    store.write(change).then(resolve, reject).finally(cancel);
  });

const scheduleRetry = (state: WriteQueueState): void => {
  state.cancel?.();
  state.cancel = state.options.platform.schedule(retryMilliseconds, () => {
    state.cancel = undefined;
    startWriting(state);
  });
};

/**
 * A failed write (quota exceeded, storage disabled) does not block editing: operations are sent to the server, and
 * the queue retries the write every two seconds.
 */
const handleFailure = (state: WriteQueueState, wanted: WriteBatch, error: unknown): void => {
  const { options } = state;
  state.batch = mergeFailed(wanted, state.batch);
  if (!state.isFailing) options.failed(error);
  state.isFailing = true;
  scheduleRetry(state);
  notifyAll(state.batch, false);
  options.changed();
};

const withFullState = ({ options }: WriteQueueState, batch: WriteBatch): WriteBatch => {
  const all = emptyWriteBatch();
  addChange(all, options.everything());
  return mergeFailed(all, batch);
};

const drainQueue = async (state: WriteQueueState): Promise<void> => {
  while (state.batch !== undefined) {
    const wanted = state.isFailing ? withFullState(state, state.batch) : state.batch;
    state.batch = undefined;
    try {
      await writeWithTimeout(state, toStoreChange(wanted));
    } catch (error) {
      handleFailure(state, wanted, error);
      return;
    }
    const wasFailing = state.isFailing;
    state.isFailing = false;
    notifyAll(wanted, true);
    if (wasFailing) state.options.changed();
  }
};

/** Starts in a microtask, so that one turn makes one write. */
function startWriting(state: WriteQueueState): void {
  state.writing ??= Promise.resolve()
    .then(() => drainQueue(state))
    .finally(() => {
      state.writing = undefined;
      if (state.batch !== undefined && state.cancel === undefined) startWriting(state);
    });
}

const flushQueue = async (state: WriteQueueState): Promise<boolean> => {
  if (state.batch !== undefined) startWriting(state);
  while (state.writing !== undefined) await state.writing;
  return !state.isFailing && state.options.store.isDurable;
};

export const createWriteQueue = (options: WriteQueueOptions): WriteQueue => {
  const state: WriteQueueState = { options, batch: undefined, writing: undefined, isFailing: false, cancel: undefined };
  return {
    enqueue: (change, callback) => {
      state.batch ??= emptyWriteBatch();
      addChange(state.batch, change, callback);
      if (state.cancel === undefined) startWriting(state);
      // The retry is scheduled; the caller does not wait for it.
      else if (callback !== undefined) options.platform.enqueueMicrotask(() => callback(false));
    },
    flush: () => flushQueue(state),
    isFailing: () => state.isFailing,
    rewriteAll: () => {
      state.batch ??= emptyWriteBatch();
      state.isFailing = true;
      // The store may still be failing.
      scheduleRetry(state);
      options.changed();
    },
    close: () => state.cancel?.(),
  };
};
