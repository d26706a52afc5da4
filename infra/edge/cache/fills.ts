/** Fills under way: one for all requests of an object at once. Each has its room on disk reserved before its first byte. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { CacheFiles, PartialFile } from './cache-files';
import { type CacheEntry, type CacheIndex, createPurgeSignal } from './cache-index';
import { type Fill, type FillEnd, startFill } from './fill';
import type { Origin, OriginRefusal } from './origin';

export interface WantedObject {
  /** In object storage. */
  readonly key: string;
  /** In hexadecimal, where the name has it. */
  readonly sha256: string | undefined;
}

/** `unstorable`: there is no room for it. */
export type BegunFill = Either<OriginRefusal, Fill | 'unstorable'>;

export interface RunningFill {
  readonly begun: Promise<BegunFill>;
  readonly purged: AbortController;
  /** Its file stays until each reader has left. */
  readonly enter: () => void;
  readonly leave: () => void;
}

export interface Fills {
  /** Undefined: none is under way. */
  readonly find: (key: string) => RunningFill | undefined;
  readonly count: () => number;
  readonly begin: (wanted: WantedObject) => RunningFill;
  /** Ends those whose keys begin so. Resolves once nothing of them can be stored any more. */
  readonly purge: (prefix: string) => Promise<void>;
}

export interface FillsOptions {
  readonly origin: Origin;
  readonly files: CacheFiles;
  readonly index: CacheIndex;
  readonly arrived: (bytes: number) => void;
  readonly ended: (end: FillEnd) => void;
  readonly mostFills: number;
}

interface State {
  readers: number;
  /** Once it is stored. */
  entry?: CacheEntry;
  /** Set while the partial file is open. */
  close?: () => Promise<void>;
  isOver: boolean;
}

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

export const createFills = (options: FillsOptions): Fills => {
  const { origin, files, index, arrived, ended, mostFills } = options;
  const running = new Map<string, RunningFill & { readonly over: Promise<void> }>();

  const closeUnread = async (state: State): Promise<void> => {
    if (!state.isOver || state.readers > 0) return;
    const { close } = state;
    delete state.close;
    await close?.();
  };

  const openPartial = async (size: number, state: State): Promise<PartialFile | undefined> => {
    if (!(await index.reserve(size))) return undefined;
    const file = await files.begin().catch(() => undefined);
    if (file === undefined) index.unreserve(size);
    else
      state.close = async () => {
        await succeeds(file.handle.close());
        if (state.entry !== undefined) return;
        // What cannot be removed keeps its bytes, in the sum as on the disk.
        if (await succeeds(file.remove())) index.unreserve(size);
      };
    return file;
  };

  const keepOf =
    (
      { key }: WantedObject,
      { size, file }: { size: number; file: PartialFile },
      state: State,
      purged: AbortController,
    ) =>
    async (sha256: string): Promise<boolean> => {
      const stored = { key, size, sha256 };
      const isPurged = (): boolean => purged.signal.aborted;
      if (isPurged() || !(await succeeds(file.finish(stored)))) return false;
      if (isPurged()) {
        await succeeds(files.remove(stored));
        return false;
      }
      state.entry = index.add(stored, { readers: state.readers, purged });
      return true;
    };

  const start = async (wanted: WantedObject, state: State, purged: AbortController): Promise<BegunFill> => {
    if (running.size >= mostFills) return left('away');
    const stop = new AbortController();
    purged.signal.addEventListener('abort', () => stop.abort(), { once: true });
    const content = await origin.get({ key: wanted.key, stop });
    if (isLeft(content)) return purged.signal.aborted ? left('unknown') : content;
    const { size, sha256 } = content.right.info;
    const file = files.canStore(wanted.key) ? await openPartial(size, state) : undefined;
    if (file === undefined || purged.signal.aborted) {
      stop.abort();
      return purged.signal.aborted ? left('unknown') : right('unstorable');
    }
    const fill = startFill({
      chunks: content.right.chunks,
      size,
      sha256: wanted.sha256 ?? sha256 ?? undefined,
      file,
      keep: keepOf(wanted, { size, file }, state, purged),
      arrived,
    });
    void fill.ended.then(() => stop.abort());
    return right(fill);
  };

  const finish = async (key: string, begun: Promise<BegunFill>, state: State): Promise<void> => {
    const fill = await begun;
    if (!isLeft(fill) && fill.right !== 'unstorable') ended(await fill.right.ended);
    // Nothing enters it from here on.
    running.delete(key);
    state.isOver = true;
    await closeUnread(state);
  };

  return {
    find: (key) => running.get(key),
    count: () => running.size,
    begin: (wanted) => {
      const [state, purged]: [State, AbortController] = [{ readers: 0, isOver: false }, createPurgeSignal()];
      const begun = start(wanted, state, purged);
      const over = finish(wanted.key, begun, state);
      const fill = {
        begun,
        over,
        purged,
        enter: () => {
          state.readers += 1;
          if (state.entry !== undefined) index.pin(state.entry);
        },
        leave: () => {
          state.readers -= 1;
          if (state.entry !== undefined) index.unpin(state.entry);
          void closeUnread(state);
        },
      };
      running.set(wanted.key, fill);
      return fill;
    },
    purge: async (prefix) => {
      const purged = [...running].filter(([key]) => key.startsWith(prefix)).map(([, fill]) => fill);
      for (const fill of purged) fill.purged.abort();
      await Promise.all(purged.map(({ over }) => over));
    },
  };
};
