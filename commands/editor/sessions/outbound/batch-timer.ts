/**
 * Decides when a room broadcasts: at once for few listeners, in intervals for many, because sending to each dominates
 * the cost. Acknowledged operations are sent before their acknowledgement in any case.
 */
import { mergeFrames } from '../../document-owner/broadcast/operation-frames';
import type { OperationFrame } from '../../document-owner/document-handle';

export interface BatchTimer {
  /** A new frame; undefined if the scene was replaced. */
  readonly enqueue: (frame: OperationFrame | undefined) => void;
  /** Sends what is queued. */
  readonly close: () => void;
}

export interface BatchTimerOptions {
  readonly listeners: () => number;
  readonly send: (frame: OperationFrame | undefined) => void;
  readonly now?: () => number;
}

/** Up to this many listeners get each frame at once. */
export const unbatchedListeners = 8;
/** Thirty per second: enough for smooth movement. */
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
