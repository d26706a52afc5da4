/** Queue that is ordered per key and concurrent across keys, and tracks the position below which all events are done. */

import { backoffMilliseconds, pause } from '../../../infra/server/runtime/backoff';
import { createWakeSignal, type WakeSignal } from '../wake-signal';

/** `stop`: the key's later events stay undone, and the watermark stays below this one. */
export type AttemptOutcome = 'done' | 'again' | 'stop';

export interface QueuedEvent {
  readonly position: bigint;
  readonly key: string;
  /** When it was recorded, in milliseconds since 1970. */
  readonly since: number;
}

export interface KeyedQueue {
  /** Resolves when the queue has capacity for another event. */
  readonly add: (queued: QueuedEvent, attempt: () => Promise<AttemptOutcome>) => Promise<void>;
  /** No event between the last added one and this position needs handling. */
  readonly skipTo: (position: bigint) => void;
  /** All events up to this position are done. */
  readonly lowWatermark: () => bigint | null;
  /** When the oldest unfinished event was recorded; undefined when there is none. */
  readonly oldestPendingSince: () => number | undefined;
  /** Events that were added and are not done. */
  readonly pendingCount: () => number;
  /** Resolves when no attempt runs. Events that wait for a retry stay undone. */
  readonly settled: () => Promise<void>;
}

export interface KeyedQueueOptions {
  readonly start: bigint | null;
  readonly signal: AbortSignal;
  /** Concurrent attempts. An event that waits for a retry does not count, so stuck instances do not block others. */
  readonly concurrency?: number;
  /** Events in memory, including done ones above the watermark. */
  readonly capacity?: number;
}

interface Entry {
  position: bigint;
  done: boolean;
  readonly since: number;
}

/** Tracks the position below which every entry is done. */
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

/** First-in-first-out semaphore. An abort wakes all waiters, which then stop. */
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

/** Retries until done. False when the key stops here. */
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
