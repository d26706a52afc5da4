/** All documents of this process: each is opened once, kept while it is used, and let go when it is not. */
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

/** One that is being opened may not know yet what it was taken over with. */
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
  // After a pause of the whole process others may have it.
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

/** What comes of it is seen when the document is opened. Should that one be alive after all, the log tells the two apart. */
const takeLeaseFrom = ({ leases, settings }: OwnerDeps, { tenant, documentId }: DocumentKey, instead: string) =>
  leases.acquire(logStream(tenant, documentId), settings.leaseMilliseconds, instead);

const verifyOwnershipOfAll = async (all: RegistryState): Promise<void> => {
  await Promise.allSettled([...all.opening.values()]);
  await verifyOwnership([...all.entries.values()].map(({ owned }) => owned).filter((owned) => !isClosed(owned)));
};

/** Leases are kept until the last one is let go. */
const close = async (all: RegistryState, stopping: AbortController, ticks: Promise<void>): Promise<void> => {
  all.end.abort();
  await Promise.allSettled([...all.opening.values()]);
  const names = [...all.entries.keys()];
  await Promise.allSettled(names.map((name) => unload(all, name, 'draining')));
  // Each was let go as its document was; once this is answered that has arrived.
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

/** How a process parts with its documents and with those who have them open. */

/** Those who are there stay until what they sent is answered and others can have their documents: where they go next finds them free. */
export const closeOnDrain = (documents: DocumentRegistry, draining: AbortSignal): AbortSignal => {
  const over = new AbortController();
  draining.addEventListener('abort', () => void documents.close().finally(() => over.abort()), { once: true });
  return over.signal;
};
