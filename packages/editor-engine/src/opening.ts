import { mayAs } from '../../../domain/editor/roles';
import { type Held, takeFree, watchNeighbours } from './clients';
import { assemble, type Begun, type Parts } from './core';
import { openCache, readCache } from './keep/cache';
import { keepAgain } from './keep/keep-again';
import { openMemoryLocks } from './keep/memory-locks';
import { openMemoryStore } from './keep/memory-store';
import type { EngineOptions } from './options';
import type { Locks } from './ports/locks';
import type { DocumentStore } from './ports/store';
import { openPresence } from './presence';
import type { Room } from './room';
import { pendingAgain } from './scene/pending';
import { resume } from './scene/replica';
import { demote, inherited, named, unnamed } from './standing';
import { hear } from './sync/hearing';
import { flush } from './sync/sender';
import { leaveSession, openSession, type Session } from './sync/session';
import { snapshotLoader } from './wire/snapshot';

const mayEdit = ({ session: { role } }: Room): boolean => role === undefined || mayAs(role, 'editor');

/** Up to date for the first time, or known from the last time. */
const look = (room: Room): void => {
  const { session, parts } = room;
  const { isJoined, committedVersion, incoming } = session;
  if (isJoined && incoming.loading === undefined && parts.ledger.replica.version >= committedVersion)
    room.isOpen = true;
};

const sessionOf = (options: EngineOptions, parts: Parts, room: () => Room): Session => {
  const { documentId, platform, transport, loadSnapshot } = options;
  const { ledger, author, emitter } = parts;
  return openSession({
    ...{ documentId, platform, transport, ledger, hear },
    load: loadSnapshot ?? snapshotLoader(transport.fetch),
    clientId: author.clientId,
    lastClientSeq: () => author.lastClientSeq,
    fault: (fault, error) => emitter.emit({ kind: 'fault', fault, error }),
    tell: {
      changed: () => room().changed(),
      left: () => room().presence.left(),
      members: (members, moved) => room().presence.heard(members, moved),
      named: (clientId, lastClientSeq) => named(room(), clientId, lastClientSeq),
      unnamed: (clientId) => unnamed(room(), clientId),
      demoted: () => demote(room()),
      replaced: () => {
        room().cache.replaced();
        room().changed();
      },
    },
  });
};

interface Found {
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly held: readonly Held[];
  readonly begun: Begun;
}

const find = async ({ store = openMemoryStore(), locks = openMemoryLocks() }: EngineOptions): Promise<Found> => {
  const held = await takeFree(store, locks);
  const cached = await readCache(store).catch(() => undefined);
  const client = held[0]?.client;
  const acknowledged = client === undefined ? [] : await store.acknowledgedOf(client.clientId);
  return { store, locks, held, begun: { store, cached, client, acknowledged } };
};

const settled = (room: Room): void => {
  for (const courier of [...room.couriers.values()]) courier.look();
  // What was held back until another client's edits were settled.
  if (room.session.sender !== undefined) flush(room.session.sender);
  room.changed();
};

const furnish = (options: EngineOptions, { store, locks, begun }: Found, changed: () => void): Room => {
  const { platform } = options;
  const parts: Parts = assemble(options, begun, {
    mayEdit: () => mayEdit(room),
    isOpen: () => room.isOpen && !room.isClosed,
    kept: () => {
      if (room.session.sender !== undefined) flush(room.session.sender);
      room.changed();
    },
    settled: () => settled(room),
    grew: (operations) => room.cache.grew(operations),
  });
  const { ledger, emitter } = parts;
  const failed = (error: unknown): void => emitter.emit({ kind: 'fault', fault: 'store', error });
  const session = sessionOf(options, parts, () => room);
  const presence = openPresence({
    platform,
    say: session.connection.say,
    changed: (members) => emitter.emit({ kind: 'members', members }),
    self: () => session.connectionId,
  });
  const cache = openCache({ ledger, store, locks, platform, failed }, begun.cached !== undefined);
  const room: Room = {
    ...{ options, store, locks, parts, session, presence, cache, neighbours: undefined, couriers: new Map() },
    ...{ isOpen: begun.cached !== undefined, isClosed: false },
    changed: () => {
      look(room);
      changed();
    },
  };
  return room;
};

/** What was kept is there when it resolves; the owner of the document is asked from then on. */
export const openRoom = async (options: EngineOptions, changed: () => void): Promise<Room> => {
  const found = await find(options);
  const { store, locks, held } = found;
  const room = furnish(options, found, changed);
  const { ledger, emitter } = room.parts;
  for (const edit of await store.recovered()) ledger.recovered.set(edit.id, edit);
  const [own, ...others] = held;
  for (const one of others) inherited(room, one);
  resume(ledger.replica, own?.pending.map(({ operation }) => pendingAgain(own.client.clientId, operation)) ?? []);
  room.neighbours = watchNeighbours({
    ...{ store, locks, held: new Map(held.map(({ client, release }) => [client.clientId, release])) },
    inherited: (one) => inherited(room, one),
    failed: (error) => emitter.emit({ kind: 'fault', fault: 'store', error }),
  });
  store.onLost?.(() => {
    if (room.isClosed) return;
    room.parts.keeper.anew();
    keepAgain(room.parts.ledger);
    room.cache.replaced();
  });
  room.session.connection.start();
  return room;
};

export const closeRoom = async (room: Room): Promise<void> => {
  if (room.isClosed) return;
  const { parts, session, couriers, presence, cache, neighbours, store } = room;
  leaveSession(session);
  for (const courier of couriers.values()) courier.stop();
  presence.left();
  room.isClosed = true;
  await parts.keeper.flushed();
  parts.keeper.close();
  cache.close();
  neighbours?.close();
  await store.close();
};
