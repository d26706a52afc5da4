/** Handles changes of the client id and the role, and adopts clients of closed tabs. */
import type { ClientId } from '../../../../domain/editor/ids';
import { toStoredClient } from '../edit/id-allocator';
import { moveToUnapplied } from '../replica/operation-tracker';
import { restoredPending } from '../replica/pending-operation';
import { pendingOperations, restorePending } from '../replica/replica';
import { openOrphanedOutbox } from '../sync/orphaned-outbox';
import type { LocalDocument } from './local-document';
import type { ClaimedClient } from './tab-coordination';

/**
 * Moves edits to the unapplied ones when the user loses the right to edit. A batch in flight may still be committed.
 */
export const handleRoleLost = ({ parts: { tracker }, session }: LocalDocument): void => {
  const underWay = new Set(session.sender?.batch ?? []);
  const items = pendingOperations(tracker.replica).filter(({ settledAt }) => settledAt === undefined);
  moveToUnapplied(
    tracker,
    items.map((item) => ({ item, reason: 'not-allowed', isUncertain: underWay.has(item) })),
  );
  for (const { operation } of items)
    tracker.emitter.emit({
      kind: 'notice',
      notice: { opId: operation.opId, operation, status: 'rejected', reason: 'not-allowed' },
    });
};

export const handleClientIssued = (
  { parts, tabs, presence }: LocalDocument,
  clientId: ClientId,
  lastClientSeq: number,
): void => {
  const { ids, writeQueue } = parts;
  if (ids.clientId !== clientId) Object.assign(ids, { clientId, lastClientSeq: 0, lastNode: 0 });
  ids.lastClientSeq = Math.max(ids.lastClientSeq, lastClientSeq);
  writeQueue.enqueue({ client: toStoredClient(ids, clientId) });
  tabs?.claim(clientId);
  presence.connect();
};

export const handleClientRevoked = ({ parts, tabs }: LocalDocument, clientId: ClientId): void => {
  const { ids, writeQueue, tracker } = parts;
  const items = pendingOperations(tracker.replica).filter((item) => item.clientId === clientId);
  moveToUnapplied(
    tracker,
    items.map((item) => ({ item, reason: 'id-foreign', isUncertain: item.isSent })),
  );
  writeQueue.enqueue({ forgotten: [clientId] });
  tabs?.release(clientId);
  ids.clientId = undefined;
};

export const adoptClient = (
  document: LocalDocument,
  { client: { clientId, lastClientSeq }, pending }: ClaimedClient,
): void => {
  const { options, parts, orphanedOutboxes } = document;
  const { tracker, writeQueue } = parts;
  const known = new Set(pendingOperations(tracker.replica).map(({ operation }) => operation.opId));
  const items = pending.filter(({ operation }) => !known.has(operation.opId));
  restorePending(
    tracker.replica,
    items.map(({ operation }) => restoredPending(clientId, operation)),
  );
  const done = (): void => {
    orphanedOutboxes.delete(clientId);
    writeQueue.enqueue({ forgotten: [clientId] }, () => document.tabs?.release(clientId));
  };
  const { platform, transport, documentId } = options;
  const fault = (error: unknown): void => parts.emitter.emit({ kind: 'fault', fault: 'protocol', error });
  orphanedOutboxes.set(
    clientId,
    openOrphanedOutbox({ tracker, platform, transport, documentId, clientId, lastClientSeq, done, fault }),
  );
  orphanedOutboxes.get(clientId)?.resume();
  document.changed();
};
