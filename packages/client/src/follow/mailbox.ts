/** What came on a socket for one follower and waits to be taken: bounded, for a browser's socket cannot be read more slowly. */
import type { End, Message } from './message';

export type Item =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'end'; readonly end: End };

export interface Mailbox {
  /** False when there is no room: what comes behind it must be asked for again. */
  readonly put: (message: Message, size: number) => boolean;
  /** After what waits; what comes later is dropped. */
  readonly finish: (end: End) => void;
  /** Rejects with the signal's reason. */
  readonly next: (signal: AbortSignal) => Promise<Item>;
}

interface Waiting {
  readonly item: Item;
  readonly size: number;
}

export interface Room {
  readonly messages: number;
  readonly size: number;
}

/** One waits; rejects with the signal's reason. */
const openBell = () => {
  let ring: () => void = () => undefined;
  const rung = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => reject(signal.reason);
      ring = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  return { ring: () => ring(), rung };
};

export const openMailbox = (room: Room): Mailbox => {
  const waiting: Waiting[] = [];
  const bell = openBell();
  let size = 0;
  let isOver = false;
  const add = (item: Item, its: number): void => {
    waiting.push({ item, size: its });
    size += its;
    bell.ring();
  };
  // One alone always has room, however large.
  const isFull = (its: number): boolean =>
    waiting.length > 0 && (waiting.length >= room.messages || size + its > room.size);
  return {
    put: (message, its) => {
      if (isOver) return true;
      if (isFull(its)) return false;
      add({ kind: 'message', message }, its);
      return true;
    },
    finish: (end) => {
      if (!isOver) add({ kind: 'end', end }, 0);
      isOver = true;
    },
    next: async (signal) => {
      if (waiting.length === 0) await bell.rung(signal);
      const first = waiting.shift();
      if (first === undefined) throw new Error('nothing waits');
      size -= first.size;
      return first.item;
    },
  };
};
