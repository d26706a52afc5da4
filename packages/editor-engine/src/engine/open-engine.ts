import { hasAtLeastRole } from '../../../../domain/editor/roles';
import type { DocumentStore } from '../ports/document-store';
import type { Locks } from '../ports/locks';
import type { OperationTracker } from '../replica/operation-tracker';
import { restoredPending } from '../replica/pending-operation';
import { pendingOperations, restorePending } from '../replica/replica';
import { openMemoryLocks } from '../storage/memory-locks';
import { openMemoryStore } from '../storage/memory-store';
import { openSceneCache, readCachedScene } from '../storage/scene-cache';
import { handleMessage } from '../sync/message-handlers';
import { sendNext } from '../sync/outbox';
import { closeSession, openSession, type Session } from '../sync/session';
import { snapshotLoader } from '../sync/snapshot-loader';
import { adoptClient, handleClientIssued, handleClientRevoked, handleRoleLost } from './client-identity';
import { composeEngine, type EngineParts, type StoredState } from './compose';
import type { LocalDocument } from './local-document';
import type { EngineOptions } from './options';
import { openPresence } from './presence';
import { type ClaimedClient, claimAbandonedClients, openTabCoordinator } from './tab-coordination';

const mayEdit = ({ session: { role } }: LocalDocument): boolean => role === undefined || hasAtLeastRole(role, 'editor');

/** Opens when the scene reaches the committed version of the first join. */
const updateIsOpen = (document: LocalDocument): void => {
  const { session, parts } = document;
  const { isJoined, committedVersion, inbound } = session;
  if (isJoined && inbound.loading === undefined && parts.tracker.replica.version >= committedVersion)
    document.isOpen = true;
};

const createSession = (options: EngineOptions, parts: EngineParts, document: () => LocalDocument): Session => {
  const { documentId, platform, transport, loadSnapshot } = options;
  const { tracker, ids, emitter } = parts;
  return openSession({
    documentId,
    platform,
    transport,
    tracker,
    handleMessage,
    load: loadSnapshot ?? snapshotLoader(transport.fetch),
    clientId: ids.clientId,
    lastClientSeq: () => ids.lastClientSeq,
    fault: (fault, error) => emitter.emit({ kind: 'fault', fault, error }),
    listener: {
      onChange: () => document().changed(),
      onDisconnected: () => document().presence.disconnect(),
      onPresence: (members, moved) => document().presence.receive(members, moved),
      onClientIssued: (clientId, lastClientSeq) => handleClientIssued(document(), clientId, lastClientSeq),
      onClientRevoked: (clientId) => handleClientRevoked(document(), clientId),
      onRoleLost: () => handleRoleLost(document()),
      onSceneReplaced: () => {
        document().cache.onReplaced();
        document().changed();
      },
    },
  });
};

interface LoadedState {
  readonly store: DocumentStore;
  readonly locks: Locks;
  readonly claimed: readonly ClaimedClient[];
  readonly begun: StoredState;
}

const loadStoredState = async ({
  store = openMemoryStore(),
  locks = openMemoryLocks(),
}: EngineOptions): Promise<LoadedState> => {
  const claimed = await claimAbandonedClients(store, locks);
  const cached = await readCachedScene(store).catch(() => undefined);
  const client = claimed[0]?.client;
  const acknowledged = client === undefined ? [] : await store.acknowledgedOf(client.clientId);
  return { store, locks, claimed, begun: { store, cached, client, acknowledged } };
};

const handleSettled = (document: LocalDocument): void => {
  for (const orphan of [...document.orphanedOutboxes.values()]) orphan.resume();
  // Edits may have waited for another client's edits.
  if (document.session.sender !== undefined) sendNext(document.session.sender);
  document.changed();
};

const createLocalDocument = (
  options: EngineOptions,
  { store, locks, begun }: LoadedState,
  changed: () => void,
): LocalDocument => {
  const { platform } = options;
  const parts: EngineParts = composeEngine(options, begun, {
    mayEdit: () => mayEdit(document),
    isOpen: () => document.isOpen && !document.isClosed,
    onStored: () => {
      if (document.session.sender !== undefined) sendNext(document.session.sender);
      document.changed();
    },
    onSettled: () => handleSettled(document),
    onCommitted: (operations) => document.cache.onCommitted(operations),
  });
  const { tracker, emitter } = parts;
  const failed = (error: unknown): void => emitter.emit({ kind: 'fault', fault: 'store', error });
  const session = createSession(options, parts, () => document);
  const presence = openPresence({
    platform,
    send: session.connection.send,
    changed: (members) => emitter.emit({ kind: 'members', members }),
    self: () => session.connectionId,
  });
  const cache = openSceneCache({ tracker, store, locks, platform, failed }, begun.cached !== undefined);
  const document: LocalDocument = {
    options,
    store,
    locks,
    parts,
    session,
    presence,
    cache,
    tabs: undefined,
    orphanedOutboxes: new Map(),
    isOpen: begun.cached !== undefined,
    isClosed: false,
    changed: () => {
      updateIsOpen(document);
      changed();
    },
  };
  return document;
};

/** Resolves with the stored state, then connects. */
export const openLocalDocument = async (options: EngineOptions, changed: () => void): Promise<LocalDocument> => {
  const loaded = await loadStoredState(options);
  const { store, locks, claimed } = loaded;
  const document = createLocalDocument(options, loaded, changed);
  const { tracker, emitter } = document.parts;
  for (const edit of await store.recovered()) tracker.unapplied.set(edit.id, edit);
  const [own, ...others] = claimed;
  for (const one of others) adoptClient(document, one);
  restorePending(
    tracker.replica,
    own?.pending.map(({ operation }) => restoredPending(own.client.clientId, operation)) ?? [],
  );
  document.tabs = openTabCoordinator({
    store,
    locks,
    claimed: new Map(claimed.map(({ client, release }) => [client.clientId, release])),
    onAbandoned: (one) => adoptClient(document, one),
    failed: (error) => emitter.emit({ kind: 'fault', fault: 'store', error }),
  });
  store.onLost?.(() => {
    if (document.isClosed) return;
    document.parts.writeQueue.rewriteAll();
    rewritePending(document.parts.tracker);
    document.cache.onReplaced();
  });
  document.session.connection.start();
  return document;
};

export const closeLocalDocument = async (document: LocalDocument): Promise<void> => {
  if (document.isClosed) return;
  const { parts, session, orphanedOutboxes, presence, cache, tabs, store } = document;
  closeSession(session);
  for (const orphan of orphanedOutboxes.values()) orphan.stop();
  presence.disconnect();
  document.isClosed = true;
  await parts.writeQueue.flush();
  parts.writeQueue.close();
  cache.close();
  tabs?.close();
  await store.close();
};

/** Writes pending operations again after the store may have lost them. */

const rewritePending = ({ replica, writeQueue }: OperationTracker): void => {
  for (const item of pendingOperations(replica)) {
    const { clientId, operation } = item;
    item.isOnDisk = false;
    writeQueue.enqueue({ pending: [{ clientId, operation }] }, (isOnDisk) => {
      item.isOnDisk = isOnDisk;
    });
  }
};
