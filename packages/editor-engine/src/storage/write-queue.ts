/** Writes what is to be kept, in its order; what comes while a write is under way goes with the next one. */

import type { Change, DocumentStore } from '../ports/document-store';
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
  readonly enqueue: (change: Change, callback?: DurabilityCallback) => void;
  /** When everything so far is written, or is known not to be: false. */
  readonly flush: () => Promise<boolean>;
  readonly isFailing: () => boolean;
  /** All that should be there is written anew. */
  readonly rewriteAll: () => void;
  readonly close: () => void;
}

export interface WriteQueueOptions {
  readonly store: DocumentStore;
  readonly platform: Platform;
  /** Once: edits live in memory only from then on. */
  readonly failed: (error: unknown) => void;
  /** It works again, or does no more. */
  readonly changed: () => void;
  /** All that should be there: nobody knows what a store that has failed has kept. */
  readonly everything: () => Change;
}

interface WriteQueueState {
  readonly options: WriteQueueOptions;
  batch: WriteBatch | undefined;
  writing: Promise<void> | undefined;
  isFailing: boolean;
  /** Calls off the next try, where there was a failure. */
  cancel: (() => void) | undefined;
}

const writeTimeoutMilliseconds = 10_000;
const retryMilliseconds = 2_000;

/** A store that never answers must not hold up what waits for it. */
const writeWithTimeout = ({ options: { store, platform } }: WriteQueueState, change: Change): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = platform.later(writeTimeoutMilliseconds, () => reject(new Error('The store does not answer.')));
    store.write(change).then(resolve, reject).finally(cancel);
  });

const scheduleRetry = (state: WriteQueueState): void => {
  state.cancel?.();
  state.cancel = state.options.platform.later(retryMilliseconds, () => {
    state.cancel = undefined;
    startWriting(state);
  });
};

/** A full or forbidden store must not stop anybody's work: it goes to the server all the same, and is written when it can be. */
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

/** In the next turn: what one turn does is one write. */
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
  return !state.isFailing && state.options.store.lasts;
};

export const createWriteQueue = (options: WriteQueueOptions): WriteQueue => {
  const state: WriteQueueState = { options, batch: undefined, writing: undefined, isFailing: false, cancel: undefined };
  return {
    enqueue: (change, callback) => {
      state.batch ??= emptyWriteBatch();
      addChange(state.batch, change, callback);
      if (state.cancel === undefined) startWriting(state);
      // It is tried again in a while, and nobody is to wait for that.
      else if (callback !== undefined) options.platform.soon(() => callback(false));
    },
    flush: () => flushQueue(state),
    isFailing: () => state.isFailing,
    rewriteAll: () => {
      state.batch ??= emptyWriteBatch();
      state.isFailing = true;
      // What has taken it away may be at it still.
      scheduleRetry(state);
      options.changed();
    },
    close: () => state.cancel?.(),
  };
};
