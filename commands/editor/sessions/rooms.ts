/** Rooms: the sessions of each open document, with its presence and broadcasts. */
import { type Either, right } from 'fp-ts/Either';
import type { ClientId, DocumentKey } from '../../../domain/editor/ids';
import { limits } from '../../../domain/editor/limits';
import { logStream } from '../../../domain/editor/operation-log/events';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { DocumentAccess } from '../../../infra/server/documents/document-access';
import type { SnapshotFault } from '../../../infra/server/documents/piece-blobs';
import type { CloseReason, DocumentHandle } from '../document-owner/document-handle';
import type { SessionDeps } from './dependencies';
import { createBatchTimer } from './outbound/batch-timer';
import { snapshotMessageCache } from './outbound/message-encoding';
import type { OutboundStream } from './outbound/outbound-stream';
import { openRoomPresence, type RoomPresence } from './presence/presence';

/** A session in a room. */
export interface RoomSession {
  readonly clientId: ClientId;
  /** Visible to other members. */
  readonly connectionId: string;
  readonly principalId: string;
  readonly stream: OutboundStream;
  readonly supportsCursorMoves: boolean;
  /** Roles or title changed. */
  readonly onAccessChange: (access: DocumentAccess) => void;
  readonly onClosed: (reason: CloseReason) => void;
}

export interface Room {
  readonly document: DocumentHandle;
  readonly sessions: Set<RoomSession>;
  readonly presence: RoomPresence;
  readonly snapshotBytes: (snapshot: Snapshot) => Promise<Either<SnapshotFault, Buffer>>;
}

export interface Rooms {
  readonly of: (document: DocumentHandle) => Room;
  readonly checkCapacity: (
    document: DocumentHandle,
    principalId: string,
  ) => Either<Rejection<'service-unavailable'>, void>;
  readonly join: (room: Room, session: RoomSession) => void;
  /** Of a document that is open here. */
  readonly sessionsOf: (documentKey: DocumentKey) => readonly RoomSession[];
  /** Closes the room after the last session. */
  readonly leave: (room: Room, session: RoomSession) => void;
}

type OpenRooms = Map<string, { readonly room: Room; readonly close: () => void }>;

const nameOf = ({ tenant, documentId }: DocumentKey): string => logStream(tenant, documentId);

const subscribeRoom = (deps: SessionDeps, room: Room): (() => void) => {
  const { document, sessions } = room;
  const timer = createBatchTimer({
    listeners: () => sessions.size,
    send: (frame) => {
      for (const { stream } of sessions) stream.sendFrame(frame);
    },
  });
  const unfollow = document.subscribe((message) => timer.enqueue(message.kind === 'operations' ? message : undefined));
  const unwatch = deps.access.watch(document, (access) => {
    for (const session of [...sessions]) session.onAccessChange(access);
  });
  return () => {
    unfollow();
    timer.close();
    unwatch();
    room.presence.close();
  };
};

const openRoom = (deps: SessionDeps, open: OpenRooms, document: DocumentHandle): Room => {
  const name = nameOf(document);
  const sessions = new Set<RoomSession>();
  const presence = openRoomPresence({
    name,
    store: deps.presenceStore,
    now: () => Date.parse(deps.clock.now()),
    broadcast: ({ full, delta }) => {
      for (const { stream, supportsCursorMoves } of sessions)
        stream.sendPresence(supportsCursorMoves ? delta() : full());
    },
  });
  const snapshotBytes = snapshotMessageCache((snapshot) => deps.pieceUrls.of(document.tenant, snapshot));
  const room: Room = { document, sessions, presence, snapshotBytes };
  const stop = subscribeRoom(deps, room);
  const ended = (): void => {
    close();
    for (const session of [...sessions]) session.onClosed(document.ended.reason as CloseReason);
  };
  const close = (): void => {
    if (open.get(name)?.room === room) open.delete(name);
    document.ended.removeEventListener('abort', ended);
    stop();
  };
  open.set(name, { room, close });
  document.ended.addEventListener('abort', ended, { once: true });
  return room;
};

const roomIsFull = `The document is open in ${limits.sessions.inAll} places, which is the limit; try again later.`;
const tooManyOfPrincipal = `You have the document open in ${limits.sessions.ofOnePrincipal} places; close one of them.`;

export const openRooms = (deps: SessionDeps): Rooms => {
  const open: OpenRooms = new Map();
  return {
    of: (document) => {
      const existing = open.get(nameOf(document))?.room;
      return existing?.document === document ? existing : openRoom(deps, open, document);
    },
    checkCapacity: (document, principalId) => {
      const sessions = open.get(nameOf(document))?.room.sessions ?? new Set<RoomSession>();
      if (sessions.size >= limits.sessions.inAll) return reject('service-unavailable', roomIsFull);
      let own = 0;
      for (const session of sessions) if (session.principalId === principalId) own += 1;
      return own >= limits.sessions.ofOnePrincipal
        ? reject('service-unavailable', tooManyOfPrincipal)
        : right(undefined);
    },
    sessionsOf: (documentKey) => [...(open.get(nameOf(documentKey))?.room.sessions ?? [])],
    join: ({ sessions }, session) => void sessions.add(session),
    leave: (room, session) => {
      const { sessions, presence, document } = room;
      if (!sessions.delete(session)) return;
      const isElsewhere = [...sessions].some(({ connectionId }) => connectionId === session.connectionId);
      // When the document moves to another owner, its members stay visible until they reconnect.
      if (!isElsewhere && !document.ended.aborted && !deps.signal.aborted) presence.leave(session.connectionId);
      if (sessions.size === 0) open.get(nameOf(document))?.close();
    },
  };
};
