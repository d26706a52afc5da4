/** Tells of changes of who may do what, by one subscription for all documents that somebody watches. */
import { type Either, isLeft } from 'fp-ts/Either';
import { type DocumentKey, documentStream } from '../../../domain/editor/streams';
import { pause } from '../../../infra/backoff';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import type { EventStore, EventStoreFault } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/log';
import { followLog } from '../following';

export interface WatchOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribeAll'>;
  readonly about: (place: DocumentKey) => Promise<Either<EventStoreFault, DocumentAccess>>;
  readonly log: Log;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
}

type Listener = (standing: DocumentAccess) => void;

interface Watched {
  readonly place: DocumentKey;
  readonly listeners: Set<Listener>;
  /** At least this revision is to be told; -1: whatever there is. */
  wanted: number | undefined;
  isTelling: boolean;
}

const pauseMilliseconds = 200;

/** Looks until what is told is no older than what was heard. */
const tell = async ({ about, log, signal }: WatchOptions, watched: Watched): Promise<void> => {
  while (watched.wanted !== undefined && watched.listeners.size > 0 && !signal.aborted) {
    const { wanted } = watched;
    const found = await about(watched.place);
    if (isLeft(found) || found.right.revision < wanted) {
      log.warn({ document: watched.place.documentId }, 'a change of access could not be read yet; it is read again');
      await pause(pauseMilliseconds, signal);
      continue;
    }
    if (watched.wanted <= found.right.revision) watched.wanted = undefined;
    for (const listener of [...watched.listeners]) listener(found.right);
  }
};

const hear = (options: WatchOptions, watched: Watched, revision: number): void => {
  watched.wanted = Math.max(watched.wanted ?? -1, revision);
  if (watched.isTelling) return;
  watched.isTelling = true;
  const over = (): void => {
    watched.isTelling = false;
    // Something was heard, and somebody listens, since it was seen that there is nothing more.
    if (watched.wanted !== undefined && watched.listeners.size > 0 && !options.signal.aborted)
      hear(options, watched, watched.wanted);
  };
  tell(options, watched).then(over, (error: unknown) => {
    // One document that cannot be read must not take all others along; its batches are refused where roles are checked.
    options.log.error({ error, document: watched.place.documentId }, 'a change of access cannot be told');
    watched.wanted = undefined;
    over();
  });
};

export const watchStandings = (options: WatchOptions) => {
  const streams = new Map<string, Watched>();
  const filter = { streams: ['editor.document-'] };
  const ended = followLog(
    { ...options, filter },
    {
      // Those that came before there was a beginning may have missed something.
      began: () => {
        for (const watched of streams.values()) hear(options, watched, -1);
      },
      heard: ({ stream, revision }) => {
        const watched = streams.get(stream);
        if (watched !== undefined) hear(options, watched, revision);
      },
    },
  );
  const watch = (place: DocumentKey, changed: Listener): (() => void) => {
    const stream = documentStream(place.tenant, place.documentId);
    const watched: Watched = streams.get(stream) ?? {
      place,
      listeners: new Set(),
      wanted: undefined,
      isTelling: false,
    };
    streams.set(stream, watched);
    // Its own, so that the same function can watch twice.
    const listener: Listener = (standing) => changed(standing);
    watched.listeners.add(listener);
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0 && streams.get(stream) === watched) streams.delete(stream);
    };
  };
  return { watch, ended };
};
