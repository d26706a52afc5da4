/** All documents of this process. Opens each once, keeps it while it is used, and unloads it when it is idle. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DocumentKey, logStream } from '../../../../domain/editor/streams';
import { fault } from '../../../../domain/kernel/rejection';
import { createDocumentHandle } from '../create-document-handle';
import type { OwnerDeps } from '../dependencies';
import type { DocumentHandle, DocumentRegistry, OpenFailure, Unavailable } from '../document-handle';
import { closeOwnedDocument, isClosed, type OwnedDocument } from '../owned-document';
import { createLeaseRenewer, type LeaseRenewer, verifyOwnership } from './lease-renewal';
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

const register = (all: RegistryState, name: string, owned: OwnedDocument): RegistryEntry => {
  const entry: RegistryEntry = { owned, document: createDocumentHandle(owned), unloading: undefined };
  all.entries.set(name, entry);
  const unwatch = all.deps.access.watch(owned.documentKey, ({ state }) => {
    if (state !== 'active') closeOwnedDocument(owned, 'trashed');
  });
  owned.end.signal.addEventListener('abort', () => {
    unwatch();
    if (all.entries.get(name) === entry) all.entries.delete(name);
    void all.deps.leases.release([name]);
  });
  return entry;
};

/** A document that is still opening does not know its epoch yet, so the takeover is recorded and checked afterwards. */
const handleTakeover = ({ entries: entry, opening, knownEpochs }: RegistryState, name: string, epoch: number): void => {
  const owned = entry.get(name)?.owned;
  if (owned !== undefined && epoch > owned.epoch) closeOwnedDocument(owned, 'fenced');
  if (opening.has(name)) knownEpochs.set(name, Math.max(epoch, knownEpochs.get(name) ?? 0));
};

const openNow = async (all: RegistryState, documentKey: DocumentKey, name: string): Promise<OpenResult> => {
  const opened = await openDocument(all.deps, documentKey, name);
  if (isLeft(opened) && opened.left.kind === 'fault') recordFailure(all, name);
  if (isLeft(opened)) return opened;
  all.failed.delete(name);
  const entry = register(all, name, opened.right);
  handleTakeover(all, name, all.knownEpochs.get(name) ?? 0);
  if (all.end.signal.aborted) await unload(all, name, 'draining');
  return right(entry);
};

const openOnce = (all: RegistryState, documentKey: DocumentKey, name: string): Promise<OpenResult> => {
  const under = all.opening.get(name);
  if (under !== undefined) return under;
  const failure = all.failed.get(name);
  if (failure !== undefined && performance.now() < failure.until)
    return Promise.resolve(unavailable('The document could not be opened; try again a little later.'));
  if (!ensureCapacity(all)) return Promise.resolve(unavailable('This process has as many documents as it can hold.'));
  const opening = openNow(all, documentKey, name).finally(() => {
    all.opening.delete(name);
    all.knownEpochs.delete(name);
  });
  all.opening.set(name, opening);
  return opening;
};

const open = async (
  all: RegistryState,
  renewer: LeaseRenewer,
  documentKey: DocumentKey,
): Promise<Either<OpenFailure, DocumentHandle>> => {
  const name = logStream(documentKey.tenant, documentKey.documentId);
  // After a long pause of this process, others may have taken its documents.
  if (all.entries.has(name) && renewer.isLate()) await renewer.renew();
  for (;;) {
    if (all.end.signal.aborted) return unavailable('This process is ending.');
    const entry = all.entries.get(name);
    if (entry?.unloading !== undefined) {
      await entry.unloading;
      continue;
    }
    if (entry !== undefined) {
      entry.owned.usedAt = performance.now();
      return right(entry.document);
    }
    const opened = await openOnce(all, documentKey, name);
    return isLeft(opened) ? opened : right(opened.right.document);
  }
};

/** Errors show when the document is opened. If the other owner is alive after all, the log fences one of them. */
const takeLeaseFrom = ({ leases, settings }: OwnerDeps, { tenant, documentId }: DocumentKey, instead: string) =>
  leases.acquire(logStream(tenant, documentId), settings.leaseMilliseconds, instead);

const verifyOwnershipOfAll = async (all: RegistryState): Promise<void> => {
  await Promise.allSettled([...all.opening.values()]);
  await verifyOwnership([...all.entries.values()].map(({ owned }) => owned).filter((owned) => !isClosed(owned)));
};

/** Leases are renewed until the last document is released. */
const close = async (all: RegistryState, stopping: AbortController, ticks: Promise<void>): Promise<void> => {
  all.end.abort();
  await Promise.allSettled([...all.opening.values()]);
  const names = [...all.entries.keys()];
  await Promise.allSettled(names.map((name) => unload(all, name, 'draining')));
  // Each document released its own lease; this call completes after those.
  if (names.length > 0) await all.deps.leases.release(names);
  stopping.abort();
  await ticks;
};

export const openDocumentRegistry = (deps: OwnerDeps): DocumentRegistry => {
  const all: RegistryState = {
    deps,
    entries: new Map(),
    opening: new Map(),
    knownEpochs: new Map(),
    failed: new Map(),
    end: new AbortController(),
  };
  const stopping = new AbortController();
  const names = (): readonly string[] => [...all.entries.keys(), ...all.opening.keys()];
  const ownedOf = (name: string): OwnedDocument | undefined => all.entries.get(name)?.owned;
  const renewer = createLeaseRenewer(deps, { names, open: ownedOf });
  const ticks = runMaintenance(all, renewer, stopping.signal);
  let closing: Promise<void> | undefined;
  return {
    open: async (documentKey, instead) => {
      if (instead !== undefined) await takeLeaseFrom(deps, documentKey, instead);
      return open(all, renewer, documentKey);
    },
    find: ({ tenant, documentId }) => {
      const entry = all.entries.get(logStream(tenant, documentId));
      return entry === undefined || entry.unloading !== undefined || isClosed(entry.owned) ? undefined : entry.document;
    },
    handleTakeover: (name, epoch) => handleTakeover(all, name, epoch),
    verifyOwnership: () => void verifyOwnershipOfAll(all),
    close: () => {
      closing ??= close(all, stopping, ticks);
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
