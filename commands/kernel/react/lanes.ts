/** Events of one instance one after another, instances beside each other, and how far all of them have come. */

import { backoffMilliseconds, pause } from '../../../infra/backoff';
import { type Bell, openBell } from './bell';

/** `stop`: nothing goes on from here in this lane, and the mark stays before it. */
export type Attempt = 'done' | 'again' | 'stop';

export interface Queued {
  readonly position: bigint;
  readonly lane: string;
  /** When it was recorded, in milliseconds since 1970. */
  readonly since: number;
}

export interface Lanes {
  /** Resolves when there is room for the next one. */
  readonly add: (queued: Queued, attempt: () => Promise<Attempt>) => Promise<void>;
  /** Nothing between what was added and here needs doing. */
  readonly reach: (position: bigint) => void;
  /** Everything up to here is done. */
  readonly mark: () => bigint | null;
  /** When the oldest unfinished event was recorded; undefined when there is none. */
  readonly busySince: () => number | undefined;
  /** Events that were taken and are not done. */
  readonly waiting: () => number;
  /** Resolves when no attempt is under way; those that wait for another one are left where they are. */
  readonly settled: () => Promise<void>;
}

export interface LaneOptions {
  readonly start: bigint | null;
  readonly signal: AbortSignal;
  /** Attempts at once. One that waits to be repeated does not count: stuck instances must not keep others waiting. */
  readonly width?: number;
  /** Events in memory at once, those included that are done but come after one that is not. */
  readonly room?: number;
}

interface Entry {
  position: bigint;
  done: boolean;
  readonly since: number;
}

/** Done entries leave from the front only. */
const openMark = (start: bigint | null) => {
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
const openSlots = (width: number, signal: AbortSignal) => {
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
    during: async (attempt: () => Promise<Attempt>): Promise<Attempt> => {
      while (used >= width && !signal.aborted) await new Promise<void>((resolve) => queue.push(resolve));
      if (signal.aborted) return 'stop';
      used += 1;
      return attempt().finally(leave);
    },
  };
};

interface Parts {
  readonly bell: Bell;
  readonly mark: ReturnType<typeof openMark>;
  readonly slots: ReturnType<typeof openSlots>;
  readonly signal: AbortSignal;
  waiting: number;
}

/** Until it is done; false when it is not, and its lane ends here. */
const persist = async (parts: Parts, entry: Entry, attempt: () => Promise<Attempt>): Promise<boolean> => {
  const { bell, mark, slots, signal } = parts;
  for (let tries = 0; !signal.aborted; tries += 1) {
    const outcome = await slots.during(attempt);
    entry.done = outcome === 'done';
    if (entry.done) {
      parts.waiting -= 1;
      mark.advance();
    }
    bell.ring();
    if (outcome !== 'again') return entry.done;
    await pause(backoffMilliseconds(tries), signal);
  }
  return false;
};

export const openLanes = ({ start, signal, width = 64, room = 4_096 }: LaneOptions): Lanes => {
  const parts = { bell: openBell(), mark: openMark(start), slots: openSlots(width, signal), signal, waiting: 0 };
  const { bell, mark, slots } = parts;
  const last = new Map<string, Promise<boolean>>();
  return {
    add: async ({ position, lane, since }, attempt) => {
      const entry = { position, done: false, since };
      mark.add(entry);
      parts.waiting += 1;
      const before = last.get(lane) ?? Promise.resolve(true);
      const run = before.then((went) => went && persist(parts, entry, attempt));
      last.set(lane, run);
      void run.then(() => last.get(lane) === run && last.delete(lane));
      while (mark.size() >= room && !signal.aborted) await bell.wait(60_000, signal);
    },
    reach: mark.reach,
    mark: mark.position,
    busySince: mark.since,
    waiting: () => parts.waiting,
    settled: async () => {
      while (slots.used() > 0) await bell.wait(1_000, new AbortController().signal);
    },
  };
};
