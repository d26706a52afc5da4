/** Subscriptions: read from disk to the end, send CaughtUp once, then read again after each commit. */
import { randomUUID } from 'node:crypto';
import { type CommitNotifier, subscribeUntilClosed } from '../../server/commit-notifier';
import { eventKey, numberOf } from '../../storage/lmdb-tables';
import { isBoundary, lastPositionOf, readAllPage, readStreamPage } from '../../storage/read-pages';
import type { Storage } from '../../storage/storage';
import { firstVisibleRevision, isMissing, isTombstoned, type StreamHead } from '../../storage/streams/stream-heads';
import { handlerFailed, streamDeleted } from '../errors';
import type { ResponseStream } from '../response-stream';
import { createReplyEncoder } from './read';
import type { ReadOptions } from './read-options';
import { caughtUpReply, checkpointReply, confirmationReply } from './read-replies';

export interface SubscriptionDeps {
  readonly storage: Storage;
  readonly commitNotifier: CommitNotifier;
}

const startOfAll = ({ tables }: Storage, { from }: ReadOptions): number => {
  if (from === 'start' || from === 0) return 0;
  const end = lastPositionOf(tables) ?? 0;
  if (from === 'end') return end + 1;
  if (from <= end && !isBoundary(tables, from)) throw handlerFailed();
  return from + 1;
};

export const subscribeToAll = async (
  { storage, commitNotifier }: SubscriptionDeps,
  options: ReadOptions,
  out: ResponseStream,
): Promise<void> => {
  const { matches, window, checkpointEvery } = options.filter;
  const reply = createReplyEncoder(storage, options);
  let from = startOfAll(storage, options);
  await out.send([confirmationReply(randomUUID())]);
  const waiting = subscribeUntilClosed(commitNotifier, undefined, out);
  let caughtUp = false;
  let considered = 0;
  while (!out.isClosed()) {
    options.access.check(undefined);
    const maxScanned = window ?? Number.POSITIVE_INFINITY;
    const page = readAllPage(storage.tables, {
      from,
      direction: 'forwards',
      limit: Number.POSITIVE_INFINITY,
      window: maxScanned,
      matches,
    });
    await out.send(page.records.map(reply));
    considered += page.considered;
    if (page.last !== undefined) from = page.last + 1;
    if (checkpointEvery > 0 && considered >= checkpointEvery && page.last !== undefined) {
      considered = 0;
      await out.send([checkpointReply(page.last, page.last)]);
    }
    if (page.more) {
      await new Promise(setImmediate);
      continue;
    }
    if (!caughtUp) await out.send([caughtUpReply()]);
    caughtUp = true;
    await waiting.nextCommit();
  }
};

const startOfStream = ({ from }: ReadOptions, head: StreamHead | undefined): number => {
  if (from === 'start') return 0;
  return from === 'end' ? (head?.last ?? -1) + 1 : from + 1;
};

const sendTombstone = async (
  storage: Storage,
  options: ReadOptions,
  head: StreamHead,
  out: ResponseStream,
): Promise<void> => {
  const stored = storage.tables.events.get(eventKey(head.number, Number.POSITIVE_INFINITY));
  const bytes = stored === undefined ? undefined : storage.tables.log.get(stored);
  if (stored !== undefined && bytes !== undefined)
    await out.send([createReplyEncoder(storage, options)({ position: numberOf(stored), bytes })]);
};

export const subscribeToStream = async (
  source: SubscriptionDeps,
  name: Buffer,
  options: ReadOptions,
  out: ResponseStream,
): Promise<void> => {
  const { storage, commitNotifier } = source;
  let head = storage.heads.get(name);
  const silent = isTombstoned(storage.heads, name);
  if (silent && options.from !== 'end') throw streamDeleted(name);
  let from = startOfStream(options, head);
  const reply = createReplyEncoder(storage, options);
  await out.send([confirmationReply(randomUUID())]);
  // The stream has no number before its first event: any commit may create it.
  const waiting = subscribeUntilClosed(commitNotifier, head?.number, out);
  let caughtUp = false;
  while (!out.isClosed()) {
    options.access.check(name);
    head = storage.heads.get(name);
    if (head !== undefined && !isMissing(head)) {
      const lowest = firstVisibleRevision(name, head);
      const page = readStreamPage(storage.tables, {
        name,
        head,
        from: Math.max(from, Math.min(lowest, head.last + 1)),
        direction: 'forwards',
        limit: Number.POSITIVE_INFINITY,
      });
      await out.send(page.records.map(reply));
      from = page.next ?? Math.max(from, head.last + 1);
      if (page.next !== undefined) {
        await new Promise(setImmediate);
        continue;
      }
    }
    const nothingYet = (head === undefined || isMissing(head)) && options.from === 'start';
    if (!caughtUp && !nothingYet) {
      await out.send([caughtUpReply()]);
      caughtUp = true;
    }
    if (head?.tombstoned && !silent) {
      await sendTombstone(storage, options, head, out);
      throw streamDeleted(name);
    }
    await waiting.nextCommit();
  }
};
