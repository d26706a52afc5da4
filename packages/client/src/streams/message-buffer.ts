/** What came on a socket for one follower and waits to be taken: bounded, for a browser's socket cannot be read more slowly. */
import type { ConnectionEnd, StreamMessage } from './stream-message';

export type BufferItem =
  | { readonly kind: 'message'; readonly message: StreamMessage }
  | { readonly kind: 'end'; readonly end: ConnectionEnd };

export interface MessageBuffer {
  /** False when there is no room: what comes behind it must be asked for again. */
  readonly put: (message: StreamMessage, size: number) => boolean;
  /** After what waits; what comes later is dropped. */
  readonly finish: (end: ConnectionEnd) => void;
  /** Rejects with the signal's reason. */
  readonly next: (signal: AbortSignal) => Promise<BufferItem>;
}

interface BufferedItem {
  readonly item: BufferItem;
  readonly size: number;
}

export interface BufferLimits {
  readonly messages: number;
  readonly size: number;
}

/** One waits; rejects with the signal's reason. */
const createWakeSignal = () => {
  let notify: () => void = () => undefined;
  const wait = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const leave = (): void => reject(signal.reason);
      notify = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  return { notify: () => notify(), wait };
};

export const createMessageBuffer = (limits: BufferLimits): MessageBuffer => {
  const items: BufferedItem[] = [];
  const wakeSignal = createWakeSignal();
  let size = 0;
  let isOver = false;
  const add = (item: BufferItem, itemSize: number): void => {
    items.push({ item, size: itemSize });
    size += itemSize;
    wakeSignal.notify();
  };
  // One alone always has room, however large.
  const isFull = (itemSize: number): boolean =>
    items.length > 0 && (items.length >= limits.messages || size + itemSize > limits.size);
  return {
    put: (message, itemSize) => {
      if (isOver) return true;
      if (isFull(itemSize)) return false;
      add({ kind: 'message', message }, itemSize);
      return true;
    },
    finish: (end) => {
      if (!isOver) add({ kind: 'end', end }, 0);
      isOver = true;
    },
    next: async (signal) => {
      if (items.length === 0) await wakeSignal.wait(signal);
      const first = items.shift();
      if (first === undefined) throw new Error('nothing waits');
      size -= first.size;
      return first.item;
    },
  };
};
