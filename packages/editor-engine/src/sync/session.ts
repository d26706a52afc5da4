/** State of the connection to one document: joined, current, and sending. */
import type { ClientId, DocumentId } from '../../../../domain/editor/ids';
import type { ClientMessage } from '../../../../domain/editor/protocol/client-messages';
import { cursorMovesCapability } from '../../../../domain/editor/protocol/presence';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { Role } from '../../../../domain/editor/roles';
import { supportedSchemas } from '../../../../domain/editor/schema-versions';
import type { Fault, Refusal } from '../engine/events';
import type { PresenceChannel } from '../engine/presence';
import { type VersionStamp, versionStamp } from '../ports/document-store';
import type { Platform } from '../ports/platform';
import type { LoadSnapshot, Transport, TransportClose } from '../ports/transport';
import type { OperationTracker } from '../replica/operation-tracker';
import { type OpenConnection, openConnection } from './connection';
import type { InboundOperations } from './inbound-operations';
import { createOutbox, handleDisconnect, type Outbox, settledSeq } from './outbox';

export interface Session {
  readonly documentId: DocumentId;
  readonly tracker: OperationTracker;
  readonly inbound: InboundOperations;
  readonly connection: OpenConnection;
  /** Replaced when the owner issues another client id. */
  sender: Outbox | undefined;
  readonly createOutbox: (clientId: ClientId) => Outbox;
  /** The highest sequence used here. */
  readonly lastClientSeq: () => number;
  clientId: ClientId | undefined;
  role: Role | undefined;
  title: string | undefined;
  connectionId: string | undefined;
  isJoined: boolean;
  /** At the last join. */
  committedVersion: number;
  reason: Refusal | undefined;
  /** Version stamp sent with the last join. */
  joinStamp: VersionStamp;
  readonly listener: SessionListener;
  readonly fault: (fault: Fault, error: unknown) => void;
}

export interface SessionListener {
  /** The session's visible state changed. */
  readonly onChange: () => void;
  /** Disconnected; members are unknown. */
  readonly onDisconnected: () => void;
  readonly onPresence: PresenceChannel['receive'];
  /** The client id from now on, with its highest settled sequence. */
  readonly onClientIssued: (clientId: ClientId, lastClientSeq: number) => void;
  /** The scene was replaced. */
  readonly onSceneReplaced: () => void;
  /** The client id must not be used again. */
  readonly onClientRevoked: (clientId: ClientId) => void;
  /** The user may no longer edit; unsettled operations will not be committed. */
  readonly onRoleLost: () => void;
}

type Join = ClientMessage<'join'>;

const joinMessage = (session: Session): Join => {
  const { clientId, tracker, documentId, sender, lastClientSeq } = session;
  const settled = sender === undefined ? lastClientSeq() : settledSeq(sender, lastClientSeq());
  const { version, opId } = tracker.replica;
  session.joinStamp = versionStamp(version, opId);
  const own = clientId === undefined ? {} : { clientId, settledClientSeq: settled };
  return {
    type: 'join',
    documentId,
    lastCommittedVersion: version,
    capabilities: [...supportedSchemas, cursorMovesCapability],
    ...own,
  };
};

export interface SessionOptions {
  readonly documentId: DocumentId;
  readonly platform: Platform;
  readonly transport: Transport;
  readonly tracker: OperationTracker;
  readonly load: LoadSnapshot;
  /** From the previous session. */
  readonly clientId: ClientId | undefined;
  readonly lastClientSeq: () => number;
  readonly listener: SessionListener;
  readonly handleMessage: (session: Session, message: ServerMessage) => void;
  readonly fault: (fault: Fault, error: unknown) => void;
}

const connect = (options: SessionOptions, session: () => Session): OpenConnection =>
  openConnection({
    platform: options.platform,
    transport: options.transport,
    documentId: options.documentId,
    join: () => joinMessage(session()),
    onMessage: (message) => options.handleMessage(session(), message),
    onEnd: (end) => handleConnectionEnd(session(), end),
    fault: (error) => options.fault('protocol', error),
  });

const createInbound = (
  { tracker, load, listener, fault }: SessionOptions,
  connection: OpenConnection,
): InboundOperations => ({
  tracker,
  load,
  restart: connection.restart,
  replaced: listener.onSceneReplaced,
  fault: (error) => fault('snapshot', error),
  loading: undefined,
  waiting: [],
  head: { version: 0 },
});

/** Not connected until `start`. */
export const openSession = (options: SessionOptions): Session => {
  const { documentId, tracker, platform, lastClientSeq, listener, clientId } = options;
  const connection = connect(options, () => session);
  const makeSender = (id: ClientId): Outbox =>
    createOutbox({
      tracker,
      platform,
      documentId,
      clientId: id,
      send: connection.sendText,
      rejoin: () => connection.restart('rejoin'),
    });
  const session: Session = {
    documentId,
    tracker,
    connection,
    createOutbox: makeSender,
    lastClientSeq,
    listener,
    clientId,
    inbound: createInbound(options, connection),
    sender: clientId === undefined ? undefined : makeSender(clientId),
    role: undefined,
    title: undefined,
    connectionId: undefined,
    isJoined: false,
    committedVersion: 0,
    reason: undefined,
    joinStamp: { version: 0 },
    fault: options.fault,
  };
  return session;
};

const signedOutReasons = new Set(['token_revoked', 'signed-out']);

const handleConnectionEnd = (session: Session, { reason }: TransportClose): void => {
  if (signedOutReasons.has(reason)) rejectSession(session, 'signed-out');
  else markDisconnected(session);
};

const markDisconnected = (session: Session): void => {
  session.isJoined = false;
  if (session.sender !== undefined) handleDisconnect(session.sender);
  session.listener.onDisconnected();
  session.listener.onChange();
};

/** Ends the session. */
export const closeSession = ({ connection, sender, inbound }: Session): void => {
  connection.stop();
  if (sender !== undefined) handleDisconnect(sender);
  inbound.loading?.abort();
  inbound.loading = undefined;
};

/** Ends the session without reconnecting. */
export const rejectSession = (session: Session, reason: Refusal): void => {
  session.reason = reason;
  session.connection.stop();
  markDisconnected(session);
};
