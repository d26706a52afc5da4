/** Documents that somebody has open here, with all who do. */
import { type Either, right } from 'fp-ts/Either';
import type { ClientId } from '../../../domain/editor/ids';
import { limits } from '../../../domain/editor/limits';
import type { Snapshot } from '../../../domain/editor/snapshot/record';
import { logStream } from '../../../domain/editor/streams';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { DocumentAccess } from '../../../infra/documents/document-access';
import type { SnapshotFault } from '../../../infra/documents/piece-blobs';
import type { EndReason, OpenDocument } from '../owner/types';
import { openBeat } from './beat';
import type { SessionDeps } from './deps';
import type { Feed } from './feed';
import { type Members, openMembers } from './presence';
import { snapshotWords } from './words';

/** Somebody in a room. */
export interface Seat {
  readonly clientId: ClientId;
  /** That other members are shown. */
  readonly connectionId: string;
  readonly principalId: string;
  readonly feed: Feed;
  readonly readsMoves: boolean;
  /** Who may do what, or what it is called, is another one. */
  readonly changed: (standing: DocumentAccess) => void;
  readonly ended: (reason: EndReason) => void;
}

export interface Room {
  readonly document: OpenDocument;
  readonly seats: Set<Seat>;
  readonly members: Members;
  readonly snapshotBytes: (snapshot: Snapshot) => Promise<Either<SnapshotFault, Buffer>>;
}

export interface Rooms {
  readonly of: (document: OpenDocument) => Room;
  readonly hasRoom: (document: OpenDocument, principalId: string) => Either<Rejection<'service-unavailable'>, void>;
  readonly sit: (room: Room, seat: Seat) => void;
  /** The last one closes the room. */
  readonly leave: (room: Room, seat: Seat) => void;
}

type Open = Map<string, { readonly room: Room; readonly close: () => void }>;

const nameOf = ({ tenant, documentId }: OpenDocument): string => logStream(tenant, documentId);

const follow = (deps: SessionDeps, room: Room): (() => void) => {
  const { document, seats } = room;
  const beat = openBeat({
    listeners: () => seats.size,
    tell: (frame) => {
      for (const { feed } of seats) feed.hear(frame);
    },
  });
  const unfollow = document.follow((told) => beat.hear(told.kind === 'operations' ? told : undefined));
  const unwatch = deps.access.watch(document, (standing) => {
    for (const seat of [...seats]) seat.changed(standing);
  });
  return () => {
    unfollow();
    beat.close();
    unwatch();
    room.members.close();
  };
};

const openRoom = (deps: SessionDeps, open: Open, document: OpenDocument): Room => {
  const name = nameOf(document);
  const seats = new Set<Seat>();
  const members = openMembers({
    ...{ name, board: deps.board, now: () => Date.parse(deps.clock.now()) },
    tell: ({ whole, brief }) => {
      for (const { feed, readsMoves } of seats) feed.glimpse(readsMoves ? brief() : whole());
    },
  });
  const snapshotBytes = snapshotWords((snapshot) => deps.shown.of(document.tenant, snapshot));
  const room: Room = { document, seats, members, snapshotBytes };
  const stop = follow(deps, room);
  const ended = (): void => {
    close();
    for (const seat of [...seats]) seat.ended(document.ended.reason as EndReason);
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

const inAll = `The document is open in ${limits.sessions.inAll} places, and no more can have it at once; try again later.`;
const ofOne = `You have the document open in ${limits.sessions.ofOnePrincipal} places; close one of them.`;

export const openRooms = (deps: SessionDeps): Rooms => {
  const open: Open = new Map();
  return {
    of: (document) => {
      const there = open.get(nameOf(document))?.room;
      return there?.document === document ? there : openRoom(deps, open, document);
    },
    hasRoom: (document, principalId) => {
      const seats = open.get(nameOf(document))?.room.seats ?? new Set<Seat>();
      if (seats.size >= limits.sessions.inAll) return reject('service-unavailable', inAll);
      let own = 0;
      for (const seat of seats) if (seat.principalId === principalId) own += 1;
      return own >= limits.sessions.ofOnePrincipal ? reject('service-unavailable', ofOne) : right(undefined);
    },
    sit: ({ seats }, seat) => void seats.add(seat),
    leave: (room, seat) => {
      const { seats, members, document } = room;
      if (!seats.delete(seat)) return;
      const isElsewhere = [...seats].some(({ connectionId }) => connectionId === seat.connectionId);
      // Where the document goes they are shown until they come back.
      if (!isElsewhere && !document.ended.aborted && !deps.signal.aborted) members.leave(seat.connectionId);
      if (seats.size === 0) open.get(nameOf(document))?.close();
    },
  };
};
