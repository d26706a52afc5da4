/**
 * When what is committed is told: to a few at once, to many in beats, for then what is said to each of them costs more than all else.
 * Who is answered between two beats is told before.
 */
import { mergeFrames } from '../document-owner/broadcast/operation-frames';
import type { OperationFrame } from '../document-owner/document-handle';

export interface BatchTimer {
  /** Something new, or another scene altogether. */
  readonly enqueue: (frame: OperationFrame | undefined) => void;
  /** Tells what waits. */
  readonly close: () => void;
}

export interface BatchTimerOptions {
  readonly listeners: () => number;
  readonly send: (frame: OperationFrame | undefined) => void;
  readonly now?: () => number;
}

/** So many are told at once. */
export const unbatchedListeners = 8;
/** Thirty a second: what others do still looks as if it moved. */
export const batchMilliseconds = 33;

export const createBatchTimer = ({ listeners, send, now = () => performance.now() }: BatchTimerOptions): BatchTimer => {
  let waiting: OperationFrame[] = [];
  let sentAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    sentAt = now();
    const frames = waiting;
    waiting = [];
    for (const frame of mergeFrames(frames)) send(frame);
  };
  return {
    close: flush,
    enqueue: (frame) => {
      if (frame === undefined) {
        flush();
        return send(undefined);
      }
      waiting.push(frame);
      const pause = listeners() <= unbatchedListeners ? 0 : sentAt + batchMilliseconds - now();
      if (pause <= 0) flush();
      else timer ??= setTimeout(flush, pause);
    },
  };
};
