/** Scavenges every stream once, a portion at a time between other writes. */
import type { Storage } from '../storage/storage';
import type { Writer } from '../storage/writer';
import { findCandidates } from './candidates';
import { type RemovedPortion, removePortion } from './remove-events';

export interface ScavengeStore {
  readonly storage: Storage;
  readonly writer: Writer;
}

/** Running totals. */
export interface ReclaimedSpace {
  events: number;
  bytes: number;
  damaged: number;
  /** Position of one corrupt record. */
  damagedAt: number | undefined;
}

export const createReclaimedSpace = (): ReclaimedSpace => ({ events: 0, bytes: 0, damaged: 0, damagedAt: undefined });

const addPortion = (reclaimed: ReclaimedSpace, { events, bytes, damaged }: RemovedPortion): void => {
  reclaimed.events += events;
  reclaimed.bytes += bytes;
  reclaimed.damaged += damaged.length;
  reclaimed.damagedAt ??= damaged[0];
};

/** Streams per transaction, collected over several pages. */
const maxStreams = 512;

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Throws when the disk refuses a write. */
const removeAll = async (
  { writer }: ScavengeStore,
  names: readonly Buffer[],
  reclaimed: ReclaimedSpace,
  signal: AbortSignal,
): Promise<void> => {
  let left = names;
  while (left.length > 0 && !signal.aborted) {
    const started = performance.now();
    const portion = await writer.write(removePortion(left));
    if ('kind' in portion) throw new Error(portion.reason);
    addPortion(reclaimed, portion);
    left = left.slice(portion.streams);
    // Leaves half of the time to other writes, however slow the disk is.
    await pause(performance.now() - started);
  }
};

/** `reclaimed` has the totals even after an abort or error. */
export const scavenge = async (store: ScavengeStore, reclaimed: ReclaimedSpace, signal: AbortSignal): Promise<void> => {
  let names: readonly Buffer[] = [];
  for await (const page of findCandidates(store.storage.tables)) {
    if (signal.aborted) return;
    names = [...names, ...page];
    if (names.length < maxStreams) continue;
    await removeAll(store, names, reclaimed, signal);
    names = [];
  }
  await removeAll(store, names, reclaimed, signal);
};
