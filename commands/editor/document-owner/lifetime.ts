/** Decides whether a document accepts batches, records when it was used, and closes it. */
import type { DocumentKey } from '../../../domain/editor/ids';
import type { Broadcaster } from './broadcast/broadcaster';
import { type BatchQueue, takenOver } from './commit/batch-queue';
import type { OwnerDeps } from './dependencies';
import type { CloseReason } from './document-handle';

export interface DocumentLifetime {
  /** Aborted with a `CloseReason`. */
  readonly ended: AbortSignal;
  readonly isClosed: () => boolean;
  /** False while the document is unloaded, and once it is closed. */
  readonly isAccepting: () => boolean;
  /** Queued batches are still committed. */
  readonly stopAccepting: () => void;
  /**
   * Queued batches are answered with a retryable error; an append in progress is still acknowledged. Closing again has
   * no effect.
   */
  readonly close: (reason: CloseReason) => void;
  readonly touch: () => void;
  /** By the monotonic clock, in milliseconds. */
  readonly usedAt: () => number;
}

interface ClosableDocument {
  readonly deps: Pick<OwnerDeps, 'log' | 'metrics'>;
  readonly documentKey: DocumentKey;
  readonly epoch: number;
  readonly queue: BatchQueue;
  readonly broadcaster: Broadcaster;
}

export const createDocumentLifetime = (document: ClosableDocument): DocumentLifetime => {
  const { deps, documentKey, epoch, queue, broadcaster } = document;
  const end = new AbortController();
  let isAccepting = true;
  let usedAt = performance.now();
  return {
    ended: end.signal,
    isClosed: () => end.signal.aborted,
    isAccepting: () => isAccepting,
    stopAccepting: () => {
      isAccepting = false;
    },
    close: (reason) => {
      if (end.signal.aborted) return;
      isAccepting = false;
      deps.metrics.closed(reason);
      const committedVersion = broadcaster.committedVersion();
      deps.log.info({ ...documentKey, epoch, committedVersion, reason }, 'a document was closed');
      end.abort(reason);
      queue.answerAll(takenOver());
      broadcaster.unsubscribeAll();
    },
    touch: () => {
      usedAt = performance.now();
    },
    usedAt: () => usedAt,
  };
};
