/** All documents of this process: each is opened once, kept while it is used, and let go when it is not. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DocumentKey, logStream } from '../../../domain/editor/streams';
import { fault } from '../../../domain/kernel/rejection';
import type { OwnerDeps } from './deps';
import { documentOf } from './document';
import { type All, type Held, hasRoom, leave, type Opened } from './holding';
import { confirmAll, type Keeper, openKeeper } from './keeper';
import { openOwned } from './opening';
import { endOwned, isEnded, type Owned } from './owned';
import { ticking } from './ticking';
import type { Documents, OpenDocument, OpenRefusal, Unavailable } from './types';

const unavailable = (detail: string): Either<Unavailable, never> => left(fault('service-unavailable', detail));

const noteFailure = ({ failed, deps }: All, name: string): void => {
  const { pauseMilliseconds, longestMilliseconds } = deps.settings.openAgain;
  const before = failed.get(name)?.pause;
  const pause = Math.min(before === undefined ? pauseMilliseconds : before * 2, longestMilliseconds);
  failed.set(name, { until: performance.now() + pause, pause });
};

const keep = (all: All, name: string, owned: Owned): Held => {
  const held: Held = { owned, document: documentOf(owned), leaving: undefined };
  all.held.set(name, held);
  const unwatch = all.deps.access.watch(owned.place, ({ state }) => {
    if (state !== 'active') endOwned(owned, 'trashed');
  });
  owned.end.signal.addEventListener('abort', () => {
    unwatch();
    if (all.held.get(name) === held) all.held.delete(name);
    void all.deps.owners.release([name]);
  });
  return held;
};

/** One that is being opened may not know yet what it was taken over with. */
const taken = ({ held, opening, heard }: All, name: string, epoch: number): void => {
  const owned = held.get(name)?.owned;
  if (owned !== undefined && epoch > owned.epoch) endOwned(owned, 'fenced');
  if (opening.has(name)) heard.set(name, Math.max(epoch, heard.get(name) ?? 0));
};

const openNow = async (all: All, place: DocumentKey, name: string): Promise<Opened> => {
  const opened = await openOwned(all.deps, place, name);
  if (isLeft(opened) && opened.left.kind === 'fault') noteFailure(all, name);
  if (isLeft(opened)) return opened;
  all.failed.delete(name);
  const held = keep(all, name, opened.right);
  taken(all, name, all.heard.get(name) ?? 0);
  if (all.end.signal.aborted) await leave(all, name, 'draining');
  return right(held);
};

const openOnce = (all: All, place: DocumentKey, name: string): Promise<Opened> => {
  const under = all.opening.get(name);
  if (under !== undefined) return under;
  const failure = all.failed.get(name);
  if (failure !== undefined && performance.now() < failure.until)
    return Promise.resolve(unavailable('The document could not be opened; try again a little later.'));
  if (!hasRoom(all)) return Promise.resolve(unavailable('This process has as many documents as it can hold.'));
  const opening = openNow(all, place, name).finally(() => {
    all.opening.delete(name);
    all.heard.delete(name);
  });
  all.opening.set(name, opening);
  return opening;
};

const open = async (all: All, keeper: Keeper, place: DocumentKey): Promise<Either<OpenRefusal, OpenDocument>> => {
  const name = logStream(place.tenant, place.documentId);
  // After a pause of the whole process others may have it.
  if (all.held.has(name) && keeper.isLate()) await keeper.renew();
  for (;;) {
    if (all.end.signal.aborted) return unavailable('This process is ending.');
    const held = all.held.get(name);
    if (held?.leaving !== undefined) {
      await held.leaving;
      continue;
    }
    if (held !== undefined) {
      held.owned.usedAt = performance.now();
      return right(held.document);
    }
    const opened = await openOnce(all, place, name);
    return isLeft(opened) ? opened : right(opened.right.document);
  }
};

/** What comes of it is seen when the document is opened. Should that one be alive after all, the log tells the two apart. */
const leaseInstead = ({ owners, settings }: OwnerDeps, { tenant, documentId }: DocumentKey, instead: string) =>
  owners.acquire(logStream(tenant, documentId), settings.leaseMilliseconds, instead);

const missed = async (all: All): Promise<void> => {
  await Promise.allSettled([...all.opening.values()]);
  await confirmAll([...all.held.values()].map(({ owned }) => owned).filter((owned) => !isEnded(owned)));
};

/** Leases are kept until the last one is let go. */
const close = async (all: All, over: AbortController, ticks: Promise<void>): Promise<void> => {
  all.end.abort();
  await Promise.allSettled([...all.opening.values()]);
  const names = [...all.held.keys()];
  await Promise.allSettled(names.map((name) => leave(all, name, 'draining')));
  // Each was let go as its document was; once this is answered that has arrived.
  if (names.length > 0) await all.deps.owners.release(names);
  over.abort();
  await ticks;
};

export const openDocuments = (deps: OwnerDeps): Documents => {
  const all: All = {
    deps,
    held: new Map(),
    opening: new Map(),
    heard: new Map(),
    failed: new Map(),
    end: new AbortController(),
  };
  const over = new AbortController();
  const names = (): readonly string[] => [...all.held.keys(), ...all.opening.keys()];
  const ownedOf = (name: string): Owned | undefined => all.held.get(name)?.owned;
  const keeper = openKeeper(deps, { names, open: ownedOf });
  const ticks = ticking(all, keeper, over.signal);
  let closing: Promise<void> | undefined;
  return {
    open: async (place, instead) => {
      if (instead !== undefined) await leaseInstead(deps, place, instead);
      return open(all, keeper, place);
    },
    held: ({ tenant, documentId }) => {
      const held = all.held.get(logStream(tenant, documentId));
      return held === undefined || held.leaving !== undefined || isEnded(held.owned) ? undefined : held.document;
    },
    taken: (name, epoch) => taken(all, name, epoch),
    missed: () => void missed(all),
    close: () => {
      closing ??= close(all, over, ticks);
      return closing;
    },
  };
};
