/**
 * Who took a document over, as the log says. An owner learns from its lease or from its next append that it is not the owner any more;
 * one that was followed by somebody without a lease, in whose document nobody writes, learns it from here alone.
 */
import { isLeft } from 'fp-ts/Either';
import { operationLog as logged } from '../../../../domain/editor/operation-log/events';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { Log } from '../../../../infra/ports/log';
import { subscribeToLog } from '../../log-subscription';
import type { DocumentRegistry } from '../document-handle';

export interface TakeoverWatchOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribeAll'>;
  readonly log: Log;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** One subscription, however many documents are open. Resolves after the signal. */
export const watchTakeovers = (
  watched: TakeoverWatchOptions,
  { verifyOwnership, handleTakeover }: Pick<DocumentRegistry, 'verifyOwnership' | 'handleTakeover'>,
): Promise<void> =>
  subscribeToLog(
    { ...watched, filter: { types: ['editor.OwnershipTaken.'] } },
    {
      onStart: verifyOwnership,
      onEvent: ({ stream, type, data }) => {
        const event = logged.decode(type, data);
        // By a version that is to come: whatever its epoch is, it is asked for.
        if (isLeft(event)) verifyOwnership();
        else if (event.right.type === 'OwnershipTaken') handleTakeover(stream, event.right.data.epoch);
      },
    },
  );
