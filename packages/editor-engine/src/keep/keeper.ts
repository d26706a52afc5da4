/** Writes what is to be kept, in its order; what comes while a write is under way goes with the next one. */
import type { Platform } from '../ports/platform';
import type { Change, DocumentStore } from '../ports/store';
import { add, asChange, joined, nothingWaits, type Told, tellAll, type Waiting } from './waiting';

export interface Keeper {
  readonly keep: (change: Change, told?: Told) => void;
  /** When everything so far is written, or is known not to be: false. */
  readonly flushed: () => Promise<boolean>;
  readonly isFailing: () => boolean;
  /** All that should be there is written anew. */
  readonly anew: () => void;
  readonly close: () => void;
}

export interface KeeperOptions {
  readonly store: DocumentStore;
  readonly platform: Platform;
  /** Once: edits live in memory only from then on. */
  readonly failed: (error: unknown) => void;
  /** It works again, or does no more. */
  readonly changed: () => void;
  /** All that should be there: nobody knows what a store that has failed has kept. */
  readonly everything: () => Change;
}

interface Keeping {
  readonly options: KeeperOptions;
  waiting: Waiting | undefined;
  writing: Promise<void> | undefined;
  isFailing: boolean;
  /** Calls off the next try, where there was a failure. */
  cancel: (() => void) | undefined;
}

const longestWrite = 10_000;
const betweenTries = 2_000;

/** A store that never answers must not hold up what waits for it. */
const written = ({ options: { store, platform } }: Keeping, change: Change): Promise<void> =>
  new Promise((resolve, reject) => {
    const cancel = platform.later(longestWrite, () => reject(new Error('The store does not answer.')));
    store.write(change).then(resolve, reject).finally(cancel);
  });

const againSoon = (keeping: Keeping): void => {
  keeping.cancel?.();
  keeping.cancel = keeping.options.platform.later(betweenTries, () => {
    keeping.cancel = undefined;
    begin(keeping);
  });
};

/** A full or forbidden store must not stop anybody's work: it goes to the server all the same, and is written when it can be. */
const fail = (keeping: Keeping, wanted: Waiting, error: unknown): void => {
  const { options } = keeping;
  keeping.waiting = joined(wanted, keeping.waiting);
  if (!keeping.isFailing) options.failed(error);
  keeping.isFailing = true;
  againSoon(keeping);
  tellAll(keeping.waiting, false);
  options.changed();
};

const withEverything = ({ options }: Keeping, waiting: Waiting): Waiting => {
  const all = nothingWaits();
  add(all, options.everything());
  return joined(all, waiting);
};

const run = async (keeping: Keeping): Promise<void> => {
  while (keeping.waiting !== undefined) {
    const wanted = keeping.isFailing ? withEverything(keeping, keeping.waiting) : keeping.waiting;
    keeping.waiting = undefined;
    try {
      await written(keeping, asChange(wanted));
    } catch (error) {
      fail(keeping, wanted, error);
      return;
    }
    const wasFailing = keeping.isFailing;
    keeping.isFailing = false;
    tellAll(wanted, true);
    if (wasFailing) keeping.options.changed();
  }
};

/** In the next turn: what one turn does is one write. */
function begin(keeping: Keeping): void {
  keeping.writing ??= Promise.resolve()
    .then(() => run(keeping))
    .finally(() => {
      keeping.writing = undefined;
      if (keeping.waiting !== undefined && keeping.cancel === undefined) begin(keeping);
    });
}

const flushed = async (keeping: Keeping): Promise<boolean> => {
  if (keeping.waiting !== undefined) begin(keeping);
  while (keeping.writing !== undefined) await keeping.writing;
  return !keeping.isFailing && keeping.options.store.lasts;
};

export const openKeeper = (options: KeeperOptions): Keeper => {
  const keeping: Keeping = { options, waiting: undefined, writing: undefined, isFailing: false, cancel: undefined };
  return {
    keep: (change, told) => {
      keeping.waiting ??= nothingWaits();
      add(keeping.waiting, change, told);
      if (keeping.cancel === undefined) begin(keeping);
      // It is tried again in a while, and nobody is to wait for that.
      else if (told !== undefined) options.platform.soon(() => told(false));
    },
    flushed: () => flushed(keeping),
    isFailing: () => keeping.isFailing,
    anew: () => {
      keeping.waiting ??= nothingWaits();
      keeping.isFailing = true;
      // What has taken it away may be at it still.
      againSoon(keeping);
      options.changed();
    },
    close: () => keeping.cancel?.(),
  };
};
