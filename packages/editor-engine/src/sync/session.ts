/** A document as its owner tells it: joined, brought up to date, followed, and one's own edits sent. */
import type { ClientId, DocumentId } from '../../../../domain/editor/ids';
import type { FromClient } from '../../../../domain/editor/messages/from-client';
import type { FromServer } from '../../../../domain/editor/messages/from-server';
import { movedCapability } from '../../../../domain/editor/messages/presence';
import type { Role } from '../../../../domain/editor/roles';
import { spokenSchemas } from '../../../../domain/editor/schemas';
import type { Fault, Refusal } from '../events';
import type { Ledger } from '../ledger';
import type { Platform } from '../ports/platform';
import type { LoadSnapshot } from '../ports/snapshots';
import { type Mark, markOf } from '../ports/store';
import type { LineEnd, Transport } from '../ports/transport';
import type { OpenPresence } from '../presence';
import { type OpenConnection, openConnection } from './connection';
import type { Incoming } from './incoming';
import { away, openSender, type Sender, settledSeq } from './sender';

export interface Session {
  readonly documentId: DocumentId;
  readonly ledger: Ledger;
  readonly incoming: Incoming;
  readonly connection: OpenConnection;
  /** Made anew when the owner gives another id. */
  sender: Sender | undefined;
  readonly makeSender: (clientId: ClientId) => Sender;
  /** The highest that was given here. */
  readonly lastClientSeq: () => number;
  clientId: ClientId | undefined;
  role: Role | undefined;
  title: string | undefined;
  connectionId: string | undefined;
  isJoined: boolean;
  /** When it joined last. */
  committedVersion: number;
  reason: Refusal | undefined;
  /** What the last join named. */
  named: Mark;
  readonly tell: SessionListener;
  readonly fault: (fault: Fault, error: unknown) => void;
}

export interface SessionListener {
  /** Something of what is shown about the session is another. */
  readonly changed: () => void;
  /** Nobody is heard of any more. */
  readonly left: () => void;
  readonly members: OpenPresence['heard'];
  /** This is its id from now on, and the highest number that is settled of it. */
  readonly named: (clientId: ClientId, lastClientSeq: number) => void;
  /** Another scene is there, not by operations. */
  readonly replaced: () => void;
  /** It must not be used again. */
  readonly unnamed: (clientId: ClientId) => void;
  /** Nobody may edit any more; what is not known to be settled by now never will be. */
  readonly demoted: () => void;
}

type Join = FromClient<'join'>;

const joinOf = (session: Session): Join => {
  const { clientId, ledger, documentId, sender, lastClientSeq } = session;
  const settled = sender === undefined ? lastClientSeq() : settledSeq(sender, lastClientSeq());
  const { version, opId } = ledger.replica;
  session.named = markOf(version, opId);
  const mine = clientId === undefined ? {} : { clientId, settledClientSeq: settled };
  return {
    ...{ type: 'join', documentId, lastCommittedVersion: version },
    ...{ capabilities: [...spokenSchemas, movedCapability], ...mine },
  };
};

export interface SessionOptions {
  readonly documentId: DocumentId;
  readonly platform: Platform;
  readonly transport: Transport;
  readonly ledger: Ledger;
  readonly load: LoadSnapshot;
  /** From the last time. */
  readonly clientId: ClientId | undefined;
  readonly lastClientSeq: () => number;
  readonly tell: SessionListener;
  readonly hear: (session: Session, message: FromServer) => void;
  readonly fault: (fault: Fault, error: unknown) => void;
}

const connect = (options: SessionOptions, session: () => Session): OpenConnection =>
  openConnection({
    ...{ platform: options.platform, transport: options.transport, documentId: options.documentId },
    join: () => joinOf(session()),
    heard: (message) => options.hear(session(), message),
    ended: (end) => ended(session(), end),
    fault: (error) => options.fault('protocol', error),
  });

const incomingOf = ({ ledger, load, tell, fault }: SessionOptions, connection: OpenConnection): Incoming => ({
  ...{ ledger, load, restart: connection.restart, replaced: tell.replaced },
  fault: (error) => fault('snapshot', error),
  ...{ loading: undefined, waiting: [], head: { version: 0 } },
});

/** Not connected yet: that is to be started. */
export const openSession = (options: SessionOptions): Session => {
  const { documentId, ledger, platform, lastClientSeq, tell, clientId } = options;
  const connection = connect(options, () => session);
  const makeSender = (id: ClientId): Sender =>
    openSender({
      ...{ ledger, platform, documentId, clientId: id, send: connection.sendText },
      rejoin: () => connection.restart('rejoin'),
    });
  const session: Session = {
    ...{ documentId, ledger, connection, makeSender, lastClientSeq, tell, clientId },
    incoming: incomingOf(options, connection),
    sender: clientId === undefined ? undefined : makeSender(clientId),
    ...{ role: undefined, title: undefined, connectionId: undefined, isJoined: false, committedVersion: 0 },
    ...{ reason: undefined, named: { version: 0 }, fault: options.fault },
  };
  return session;
};

const signedOut = new Set(['token_revoked', 'signed-out']);

const ended = (session: Session, { reason }: LineEnd): void => {
  if (signedOut.has(reason)) refuse(session, 'signed-out');
  else leave(session);
};

/** The line has ended. */
const leave = (session: Session): void => {
  session.isJoined = false;
  if (session.sender !== undefined) away(session.sender);
  session.tell.left();
  session.tell.changed();
};

/** For good. */
export const leaveSession = ({ connection, sender, incoming }: Session): void => {
  connection.stop();
  if (sender !== undefined) away(sender);
  incoming.loading?.abort();
  incoming.loading = undefined;
};

/** Nobody comes back by themselves from here. */
export const refuse = (session: Session, reason: Refusal): void => {
  session.reason = reason;
  session.connection.stop();
  leave(session);
};
