/** Messages of one subscription that the reader has not taken yet. Bounded, because a browser's socket has no backpressure. */
import type { ConnectionEnd, StreamMessage } from './stream-message';

export type BufferItem =
  | { readonly kind: 'message'; readonly message: StreamMessage }
  | { readonly kind: 'end'; readonly end: ConnectionEnd };

export interface MessageBuffer {
  /** False if the buffer is full: the subscription must be restarted after the last message taken. */
  readonly put: (message: StreamMessage, size: number) => boolean;
  /** Ends the buffer after the messages in it; later messages are dropped. */
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

/** For one waiter; `wait` rejects with the signal's reason. */
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
  // An empty buffer takes any message, however large.
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
