/** One scavenge: every stream once, a portion at a time, while everything else goes on. */
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import { candidates } from './candidates';
import { type Portion, removeFrom } from './remove';

export interface Store {
  readonly storage: Storage;
  readonly writer: Writer;
}

/** Grows while the scavenge runs. */
export interface Saved {
  events: number;
  bytes: number;
  damaged: number;
  /** One of the damaged records. */
  damagedAt: number | undefined;
}

export const nothingSaved = (): Saved => ({ events: 0, bytes: 0, damaged: 0, damagedAt: undefined });

const add = (saved: Saved, { events, bytes, damaged }: Portion): void => {
  saved.events += events;
  saved.bytes += bytes;
  saved.damaged += damaged.length;
  saved.damagedAt ??= damaged[0];
};

/** Streams of one transaction at most, so that few pages of the table of streams still fill one. */
const mostStreams = 512;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Throws what the disk says when it refuses. */
const removeAll = async (
  { writer }: Store,
  names: readonly Buffer[],
  saved: Saved,
  signal: AbortSignal,
): Promise<void> => {
  let left = names;
  while (left.length > 0 && !signal.aborted) {
    const started = performance.now();
    const portion = await writer.write(removeFrom(left));
    if ('kind' in portion) throw new Error(portion.reason);
    add(saved, portion);
    left = left.slice(portion.streams);
    // Half of the time is for others, however slow the disk is.
    await pause(performance.now() - started);
  }
};

/** What was removed is in `saved`, also when it stops early or throws. */
export const scavenge = async (store: Store, saved: Saved, signal: AbortSignal): Promise<void> => {
  let names: readonly Buffer[] = [];
  for await (const page of candidates(store.storage.tables)) {
    if (signal.aborted) return;
    names = [...names, ...page];
    if (names.length < mostStreams) continue;
    await removeAll(store, names, saved, signal);
    names = [];
  }
  await removeAll(store, names, saved, signal);
};
