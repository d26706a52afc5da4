/**
 * Who took a document over, as the log says. An owner learns from its lease or from its next append that it is not the owner any more;
 * one that was followed by somebody without a lease, in whose document nobody writes, learns it from here alone.
 */
import { isLeft } from 'fp-ts/Either';
import { log as logged } from '../../../domain/editor/log/events';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/log';
import { followLog } from '../following';
import type { Documents } from './types';

export interface WatchedTakeovers {
  readonly store: Pick<EventStore, 'head' | 'subscribeAll'>;
  readonly log: Log;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** One subscription, however many documents are open. Resolves after the signal. */
export const watchTakeovers = (
  watched: WatchedTakeovers,
  { missed, taken }: Pick<Documents, 'missed' | 'taken'>,
): Promise<void> =>
  followLog(
    { ...watched, filter: { types: ['editor.OwnershipTaken.'] } },
    {
      began: missed,
      heard: ({ stream, type, data }) => {
        const event = logged.decode(type, data);
        // By a version that is to come: whatever its epoch is, it is asked for.
        if (isLeft(event)) missed();
        else if (event.right.type === 'OwnershipTaken') taken(stream, event.right.data.epoch);
      },
    },
  );
