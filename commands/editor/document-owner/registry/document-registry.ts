/** All documents of this process. Opens each once, keeps it while it is used, and unloads it when it is idle. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DocumentKey } from '../../../../domain/editor/ids';
import { logStream } from '../../../../domain/editor/operation-log/events';
import { fault } from '../../../../domain/kernel/rejection';
import { createDocumentHandle } from '../create-document-handle';
import type { OwnerDeps } from '../dependencies';
import type { DocumentHandle, DocumentRegistry, OpenFailure, Unavailable } from '../document-handle';
import type { OwnedDocument } from '../owned-document';
import { createLeaseRenewer, type LeaseRenewer, verifyOwnership } from './document-lease-renewal';
import { runMaintenance } from './maintenance';
import { openDocument } from './open-document';
import { ensureCapacity, type OpenResult, type RegistryEntry, type RegistryState, unload } from './registry-state';

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

const recordFailure = ({ failed, deps }: RegistryState, name: string): void => {
  const { pauseMilliseconds, longestMilliseconds } = deps.settings.reopenBackoff;
  const before = failed.get(name)?.pause;
  const pause = Math.min(before === undefined ? pauseMilliseconds : before * 2, longestMilliseconds);
  failed.set(name, { until: performance.now() + pause, pause });
};

const register = (state: RegistryState, name: string, owned: OwnedDocument): RegistryEntry => {
  const entry: RegistryEntry = { owned, document: createDocumentHandle(owned), unloading: undefined };
  state.entries.set(name, entry);
  const unwatch = state.deps.access.watch(owned.documentKey, (access) => {
    if (access.state !== 'active') owned.lifetime.close('trashed');
  });
  owned.lifetime.ended.addEventListener('abort', () => {
    unwatch();
    if (state.entries.get(name) === entry) state.entries.delete(name);
    void state.deps.leases.release([name]);
  });
  return entry;
};

/** A document that is still opening does not know its epoch yet, so the takeover is recorded and checked afterwards. */
const handleTakeover = ({ entries, opening, knownEpochs }: RegistryState, name: string, epoch: number): void => {
  const owned = entries.get(name)?.owned;
  if (owned !== undefined && epoch > owned.epoch) owned.lifetime.close('fenced');
  if (opening.has(name)) knownEpochs.set(name, Math.max(epoch, knownEpochs.get(name) ?? 0));
};

const openNow = async (state: RegistryState, documentKey: DocumentKey, name: string): Promise<OpenResult> => {
  const opened = await openDocument(state.deps, documentKey, name);
  if (isLeft(opened) && opened.left.kind === 'fault') recordFailure(state, name);
  if (isLeft(opened)) return opened;
  state.failed.delete(name);
  const entry = register(state, name, opened.right);
  handleTakeover(state, name, state.knownEpochs.get(name) ?? 0);
  if (state.end.signal.aborted) await unload(state, name, 'draining');
  return right(entry);
};

const openOnce = (state: RegistryState, documentKey: DocumentKey, name: string): Promise<OpenResult> => {
  const under = state.opening.get(name);
  if (under !== undefined) return under;
  const failure = state.failed.get(name);
  if (failure !== undefined && performance.now() < failure.until)
    return Promise.resolve(unavailable('The document could not be opened; try again later.'));
  if (!ensureCapacity(state))
    return Promise.resolve(unavailable('The server has as many documents open as it can hold.'));
  const opening = openNow(state, documentKey, name).finally(() => {
    state.opening.delete(name);
    state.knownEpochs.delete(name);
  });
  state.opening.set(name, opening);
  return opening;
};

const open = async (
  state: RegistryState,
  renewer: LeaseRenewer,
  documentKey: DocumentKey,
): Promise<Either<OpenFailure, DocumentHandle>> => {
  const name = logStream(documentKey.tenant, documentKey.documentId);
  // After a long pause of this process, others may have taken its documents.
  if (state.entries.has(name) && renewer.isLate()) await renewer.renew();
  for (;;) {
    if (state.end.signal.aborted) return unavailable('The server is shutting down.');
    const entry = state.entries.get(name);
    if (entry?.unloading !== undefined) {
      await entry.unloading;
      continue;
    }
    if (entry !== undefined) {
      entry.owned.lifetime.touch();
      return right(entry.document);
    }
    const opened = await openOnce(state, documentKey, name);
    return isLeft(opened) ? opened : right(opened.right.document);
  }
};

/** Errors show when the document is opened. If the other owner is alive after all, the log fences one of them. */
const takeLeaseFrom = ({ leases, settings }: OwnerDeps, { tenant, documentId }: DocumentKey, instead: string) =>
  leases.acquire(logStream(tenant, documentId), settings.leaseMilliseconds, instead);

const verifyOwnershipOfAll = async (state: RegistryState): Promise<void> => {
  await Promise.allSettled([...state.opening.values()]);
  await verifyOwnership(
    [...state.entries.values()].map(({ owned }) => owned).filter(({ lifetime }) => !lifetime.isClosed()),
  );
};

/** Leases are renewed until the last document is released. */
const close = async (state: RegistryState, stopping: AbortController, ticks: Promise<void>): Promise<void> => {
  state.end.abort();
  await Promise.allSettled([...state.opening.values()]);
  const names = [...state.entries.keys()];
  await Promise.allSettled(names.map((name) => unload(state, name, 'draining')));
  // Each document released its own lease; this call completes after those.
  if (names.length > 0) await state.deps.leases.release(names);
  stopping.abort();
  await ticks;
};

export const openDocumentRegistry = (deps: OwnerDeps): DocumentRegistry => {
  const state: RegistryState = {
    deps,
    entries: new Map(),
    opening: new Map(),
    knownEpochs: new Map(),
    failed: new Map(),
    end: new AbortController(),
  };
  const stopping = new AbortController();
  const names = (): readonly string[] => [...state.entries.keys(), ...state.opening.keys()];
  const ownedOf = (name: string): OwnedDocument | undefined => state.entries.get(name)?.owned;
  const renewer = createLeaseRenewer(deps, { names, open: ownedOf });
  const ticks = runMaintenance(state, renewer, stopping.signal);
  let closing: Promise<void> | undefined;
  return {
    open: async (documentKey, instead) => {
      if (instead !== undefined) await takeLeaseFrom(deps, documentKey, instead);
      return open(state, renewer, documentKey);
    },
    find: ({ tenant, documentId }) => {
      const entry = state.entries.get(logStream(tenant, documentId));
      return entry === undefined || entry.unloading !== undefined || entry.owned.lifetime.isClosed()
        ? undefined
        : entry.document;
    },
    handleTakeover: (name, epoch) => handleTakeover(state, name, epoch),
    verifyOwnership: () => void verifyOwnershipOfAll(state),
    close: () => {
      closing ??= close(state, stopping, ticks);
      return closing;
    },
  };
};

/**
 * Sessions stay until their batches are acknowledged and the documents are released, so that clients that reconnect
 * find a free document.
 */
export const closeOnDrain = (documents: DocumentRegistry, draining: AbortSignal): AbortSignal => {
  const over = new AbortController();
  draining.addEventListener('abort', () => void documents.close().finally(() => over.abort()), { once: true });
  return over.signal;
};
