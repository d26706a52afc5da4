/** Events of one instance one after another, instances beside each other, and how far all of them have come. */

import { backoffMilliseconds, pause } from '../../../infra/runtime/backoff';
import { createWakeSignal, type WakeSignal } from '../wake-signal';

/** `stop`: nothing goes on from here in this lane, and the mark stays before it. */
export type AttemptOutcome = 'done' | 'again' | 'stop';

export interface QueuedEvent {
  readonly position: bigint;
  readonly key: string;
  /** When it was recorded, in milliseconds since 1970. */
  readonly since: number;
}

export interface KeyedQueue {
  /** Resolves when there is room for the next one. */
  readonly add: (queued: QueuedEvent, attempt: () => Promise<AttemptOutcome>) => Promise<void>;
  /** Nothing between what was added and here needs doing. */
  readonly skipTo: (position: bigint) => void;
  /** Everything up to here is done. */
  readonly lowWatermark: () => bigint | null;
  /** When the oldest unfinished event was recorded; undefined when there is none. */
  readonly oldestPendingSince: () => number | undefined;
  /** Events that were taken and are not done. */
  readonly pendingCount: () => number;
  /** Resolves when no attempt is under way; those that wait for another one are left where they are. */
  readonly settled: () => Promise<void>;
}

export interface KeyedQueueOptions {
  readonly start: bigint | null;
  readonly signal: AbortSignal;
  /** Attempts at once. One that waits to be repeated does not count: stuck instances must not keep others waiting. */
  readonly concurrency?: number;
  /** Events in memory at once, those included that are done but come after one that is not. */
  readonly capacity?: number;
}

interface Entry {
  position: bigint;
  done: boolean;
  readonly since: number;
}

/** Done entries leave from the front only. */
const createWatermark = (start: bigint | null) => {
  let entries: Entry[] = [];
  let front = 0;
  let position = start;
  const advance = (): void => {
    for (let entry = entries[front]; entry?.done === true; entry = entries[front]) {
      position = entry.position;
      front += 1;
    }
    if (front < 1_024 && front < entries.length) return;
    entries = entries.slice(front);
    front = 0;
  };
  return {
    add: (entry: Entry): void => void entries.push(entry),
    advance,
    reach: (reached: bigint): void => {
      const last = entries.at(-1);
      if (last?.done === true) last.position = reached;
      else if (front < entries.length) entries.push({ position: reached, done: true, since: 0 });
      else if (position === null || reached > position) position = reached;
    },
    position: () => position,
    size: () => entries.length - front,
    since: () => entries[front]?.since,
  };
};

/** Who waits longest goes next; when the process drains, all who wait go away. */
const createSlots = (width: number, signal: AbortSignal) => {
  const queue: (() => void)[] = [];
  let used = 0;
  const leave = (): void => {
    used -= 1;
    queue.shift()?.();
  };
  const wakeAll = (): void => {
    for (const wake of queue.splice(0)) wake();
  };
  signal.addEventListener('abort', wakeAll, { once: true });
  return {
    used: () => used,
    during: async (attempt: () => Promise<AttemptOutcome>): Promise<AttemptOutcome> => {
      while (used >= width && !signal.aborted) await new Promise<void>((resolve) => queue.push(resolve));
      if (signal.aborted) return 'stop';
      used += 1;
      return attempt().finally(leave);
    },
  };
};

interface QueueParts {
  readonly wakeSignal: WakeSignal;
  readonly watermark: ReturnType<typeof createWatermark>;
  readonly slots: ReturnType<typeof createSlots>;
  readonly signal: AbortSignal;
  pending: number;
}

/** Until it is done; false when it is not, and its lane ends here. */
const attemptUntilDone = async (
  parts: QueueParts,
  entry: Entry,
  attempt: () => Promise<AttemptOutcome>,
): Promise<boolean> => {
  const { wakeSignal, watermark, slots, signal } = parts;
  for (let tries = 0; !signal.aborted; tries += 1) {
    const outcome = await slots.during(attempt);
    entry.done = outcome === 'done';
    if (entry.done) {
      parts.pending -= 1;
      watermark.advance();
    }
    wakeSignal.notify();
    if (outcome !== 'again') return entry.done;
    await pause(backoffMilliseconds(tries), signal);
  }
  return false;
};

export const createKeyedQueue = ({
  start,
  signal,
  concurrency: width = 64,
  capacity: room = 4_096,
}: KeyedQueueOptions): KeyedQueue => {
  const parts = {
    wakeSignal: createWakeSignal(),
    watermark: createWatermark(start),
    slots: createSlots(width, signal),
    signal,
    pending: 0,
  };
  const { wakeSignal, watermark, slots } = parts;
  const last = new Map<string, Promise<boolean>>();
  return {
    add: async ({ position, key: lane, since }, attempt) => {
      const entry = { position, done: false, since };
      watermark.add(entry);
      parts.pending += 1;
      const previous = last.get(lane) ?? Promise.resolve(true);
      const run = previous.then((went) => went && attemptUntilDone(parts, entry, attempt));
      last.set(lane, run);
      void run.then(() => last.get(lane) === run && last.delete(lane));
      while (watermark.size() >= room && !signal.aborted) await wakeSignal.wait(60_000, signal);
    },
    skipTo: watermark.reach,
    lowWatermark: watermark.position,
    oldestPendingSince: watermark.since,
    pendingCount: () => parts.pending,
    settled: async () => {
      while (slots.used() > 0) await wakeSignal.wait(1_000, new AbortController().signal);
    },
  };
};
