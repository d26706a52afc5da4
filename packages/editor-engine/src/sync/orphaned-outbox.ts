/** Sends what a closed tab left, under its client id, so that operations it had sent are not committed twice. */
import type { ClientId, DocumentId } from '../../../../domain/editor/ids';
import { hasAtLeastRole } from '../../../../domain/editor/roles';
import { supportedSchemas } from '../../../../domain/editor/schema-versions';
import { type VersionStamp, versionStamp } from '../ports/document-store';
import type { Platform } from '../ports/platform';
import type { Transport } from '../ports/transport';
import { moveToUnapplied, type OperationTracker, pendingOfClient } from '../replica/operation-tracker';
import type { PendingOperation } from '../replica/pending-operation';
import type { DecodedMessage } from './connection';
import { openConnection } from './connection';
import { compareHistory, moveDivergedToUnapplied } from './history-check';
import {
  applyAck,
  applyJoined,
  createOutbox,
  handleDisconnect,
  handleRateLimit,
  handleRejection,
  sendNext,
  settledSeq,
} from './outbox';

export interface OrphanedOutboxOptions {
  readonly tracker: OperationTracker;
  readonly platform: Platform;
  readonly transport: Transport;
  readonly documentId: DocumentId;
  readonly clientId: ClientId;
  readonly lastClientSeq: number;
  /** Nothing of the client is pending. */
  readonly done: () => void;
  readonly fault: (error: unknown) => void;
}

export interface OrphanedOutbox {
  /** Continues sending, or ends if nothing is left. */
  readonly resume: () => void;
  readonly stop: () => void;
}

type Message = Exclude<DecodedMessage, 'unknown' | 'malformed'>;

export const openOrphanedOutbox = (options: OrphanedOutboxOptions): OrphanedOutbox => {
  const { tracker, platform, transport, documentId, clientId, lastClientSeq, done, fault } = options;
  let isOver = false;
  let named: VersionStamp = { version: 0 };
  const own = (): readonly PendingOperation[] => pendingOfClient(tracker, clientId);
  const abandon = (): void => {
    moveToUnapplied(
      tracker,
      own().map((item) => ({ item, reason: 'not-allowed', isUncertain: item.isSent })),
    );
  };
  const look = (): void => {
    if (isOver) return;
    if (own().length > 0) {
      sendNext(outbox);
      return;
    }
    isOver = true;
    connection.stop();
    done();
  };
  const handleMessage = (message: Message): void => {
    if (message.type === 'joined' && compareHistory(tracker, named, message) === 'other')
      moveDivergedToUnapplied(tracker, message, own());
    else if (message.type === 'joined') {
      outbox.mayEdit = hasAtLeastRole(message.role, 'editor');
      applyJoined(outbox, message);
      if (!outbox.mayEdit) abandon();
    } else if (message.type === 'ack') applyAck(outbox, message);
    else if (message.type === 'rateLimited') handleRateLimit(outbox, message);
    else if (message.type === 'error' && message.code === 'client-id-taken') abandon();
    else if (message.type === 'error' && outbox.batch !== undefined) handleRejection(outbox, message);
    look();
  };
  const connection = openConnection({
    platform,
    transport,
    documentId,
    onMessage: handleMessage,
    fault,
    join: () => {
      named = versionStamp(tracker.replica.version, tracker.replica.opId);
      return {
        type: 'join',
        documentId,
        clientId,
        settledClientSeq: settledSeq(outbox, lastClientSeq),
        // Committed operations arrive by the main session.
        lastCommittedVersion: named.version,
        capabilities: [...supportedSchemas],
      };
    },
    onEnd: () => handleDisconnect(outbox),
  });
  const outbox = createOutbox({
    tracker,
    platform,
    documentId,
    clientId,
    send: connection.sendText,
    rejoin: () => connection.restart('rejoin'),
  });
  connection.start();
  return {
    resume: look,
    stop: () => {
      isOver = true;
      connection.stop();
      handleDisconnect(outbox);
    },
  };
};
