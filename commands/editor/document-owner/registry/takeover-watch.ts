/**
 * Watches the log for takeovers. An owner notices a takeover at its next append or lease renewal. If the new owner
 * has no lease and there are no edits, only this subscription reports it.
 */
import { isLeft } from 'fp-ts/Either';
import { operationLog as logged } from '../../../../domain/editor/operation-log/events';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { Log } from '../../../../infra/ports/runtime/log';
import { subscribeToLog } from '../../../kernel/log-subscription';
import type { DocumentRegistry } from '../document-handle';

export interface TakeoverWatchOptions {
  readonly store: Pick<EventStore, 'head' | 'subscribeAll'>;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** One subscription for all documents. Resolves after the signal. */
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
        // Written by a newer version, so its epoch is unknown: the log is read.
        if (isLeft(event)) verifyOwnership();
        else if (event.right.type === 'OwnershipTaken') handleTakeover(stream, event.right.data.epoch);
      },
    },
  );
