/** Notifies listeners of access changes, with one log subscription for all watched documents. */
import { type Either, isLeft } from 'fp-ts/Either';
import { documentStream } from '../../../domain/editor/document/events';
import type { DocumentKey } from '../../../domain/editor/ids';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/runtime/log';
import type { DocumentAccess } from '../../../infra/server/documents/document-access';
import { pause } from '../../../infra/server/runtime/backoff';
import { trackOutage } from '../../../infra/server/runtime/outage';
import { subscribeToLog } from '../../kernel/log-subscription';

export interface AccessWatchOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribeAll'>;
  readonly read: (documentKey: DocumentKey) => Promise<Either<EventStoreFault, DocumentAccess>>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

type Listener = (access: DocumentAccess) => void;

interface WatchedDocument {
  readonly documentKey: DocumentKey;
  readonly listeners: Set<Listener>;
  /** Listeners must get at least this revision; -1 for any. */
  wantedRevision: number | undefined;
  isNotifying: boolean;
}

const pauseMilliseconds = 200;

/** Reads until the access state includes the event that triggered the notification. */
const notifyListeners = async ({ read, log, signal }: AccessWatchOptions, watched: WatchedDocument): Promise<void> => {
  const outage = trackOutage(log, {
    failing: 'a change of access could not be read yet; it is retried',
    recovered: 'changes of access are read again',
  });
  while (watched.wantedRevision !== undefined && watched.listeners.size > 0 && !signal.aborted) {
    const { wantedRevision } = watched;
    const found = await read(watched.documentKey);
    if (isLeft(found) || found.right.revision < wantedRevision) {
      outage.failed({ document: watched.documentKey.documentId });
      await pause(pauseMilliseconds, signal);
      continue;
    }
    outage.recovered();
    if (watched.wantedRevision <= found.right.revision) watched.wantedRevision = undefined;
    for (const listener of [...watched.listeners]) listener(found.right);
  }
  outage.end();
};

const requestNotification = (options: AccessWatchOptions, watched: WatchedDocument, revision: number): void => {
  watched.wantedRevision = Math.max(watched.wantedRevision ?? -1, revision);
  if (watched.isNotifying) return;
  watched.isNotifying = true;
  const over = (): void => {
    watched.isNotifying = false;
    // An event, or a listener, may have arrived after the last check.
    if (watched.wantedRevision !== undefined && watched.listeners.size > 0 && !options.signal.aborted)
      requestNotification(options, watched, watched.wantedRevision);
  };
  notifyListeners(options, watched).then(over, (error: unknown) => {
    // One unreadable document must not stop the others; its batches are rejected when its roles are read.
    options.log.error(
      { error, document: watched.documentKey.documentId },
      'sessions could not be notified of a change of access',
    );
    watched.wantedRevision = undefined;
    over();
  });
};

export const watchDocumentAccess = (options: AccessWatchOptions) => {
  const streams = new Map<string, WatchedDocument>();
  const filter = { streams: ['editor.document-'] };
  const ended = subscribeToLog(
    { ...options, filter },
    {
      // Changes before the subscription started may have been missed.
      onStart: () => {
        for (const watched of streams.values()) requestNotification(options, watched, -1);
      },
      onEvent: ({ stream, revision }) => {
        const watched = streams.get(stream);
        if (watched !== undefined) requestNotification(options, watched, revision);
      },
    },
  );
  const watch = (documentKey: DocumentKey, changed: Listener): (() => void) => {
    const stream = documentStream(documentKey.tenant, documentKey.documentId);
    const watched: WatchedDocument = streams.get(stream) ?? {
      documentKey,
      listeners: new Set(),
      wantedRevision: undefined,
      isNotifying: false,
    };
    streams.set(stream, watched);
    // Wrapped, so that the same function can watch twice.
    const listener: Listener = (access) => changed(access);
    watched.listeners.add(listener);
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0 && streams.get(stream) === watched) streams.delete(stream);
    };
  };
  return { watch, ended };
};
