/** Reads what a group follows in pages: a stream, `$all`, or its parked messages. */

import type { CommitNotifier } from '../server/commit-notifier';
import { lastPositionOf, type Matches, readAllPage, readStreamPage } from '../storage/read-pages';
import { idOf, revisionOf, type StoredRecord } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import { firstVisibleRevision, isMissing } from '../storage/streams/stream-heads';
import type { FoundEvent, Input, Page } from './group/messages';

export interface PageSource {
  readonly page: (from: number, limit: number) => Page;
  /** The newest place. */
  readonly last: () => number | undefined;
  /** The number of the stream to listen for; undefined: any commit may concern it. */
  readonly number: () => number | undefined;
}

/** A number for messages that must go to the same consumer. */
export type PinningKeyOf = (record: StoredRecord) => number;

export const createStreamSource = (storage: Storage, name: Buffer, pinOf: PinningKeyOf): PageSource => {
  const page = (from: number, limit: number): Page => {
    const head = storage.heads.get(name);
    if (head === undefined || isMissing(head)) return { found: [], scanned: 0, last: undefined, next: from, end: true };
    const lowest = Math.min(firstVisibleRevision(name, head), head.last + 1);
    const start = Math.max(from, lowest);
    const { records, next } = readStreamPage(storage.tables, { name, head, from: start, direction: 'forwards', limit });
    const found = records.map((record, index): FoundEvent => {
      const before = records[index - 1];
      const previous = before === undefined ? undefined : revisionOf(before.bytes);
      const { position, bytes } = record;
      return { at: revisionOf(bytes), previous, ordinal: index + 1, position, id: idOf(bytes), pin: pinOf(record) };
    });
    const nextRevision = next ?? Math.max(start, head.last + 1);
    return { found, scanned: found.length, last: nextRevision - 1, next: nextRevision, end: next === undefined };
  };
  return {
    page,
    last: () => {
      const head = storage.heads.get(name);
      return head === undefined || isMissing(head) ? undefined : head.last;
    },
    number: () => storage.heads.get(name)?.number,
  };
};

/** How many events one page reads. */
const maxPageScan = 256;

export const createAllSource = ({ tables }: Storage, matches: Matches, pinOf: PinningKeyOf): PageSource => {
  const page = (from: number, limit: number): Page => {
    const found: FoundEvent[] = [];
    let scanned = 0;
    let previous: number | undefined;
    const matchAndCollect: Matches = (record) => {
      const matching = matches(record);
      scanned += 1;
      const { position, bytes } = record;
      if (matching)
        found.push({ at: position, previous, ordinal: scanned, position, id: idOf(bytes), pin: pinOf(record) });
      previous = position;
      return matching;
    };
    const { last, more } = readAllPage(tables, {
      from,
      direction: 'forwards',
      limit,
      window: maxPageScan,
      matches: matchAndCollect,
    });
    return { found, scanned, last, next: last === undefined ? from : last + 1, end: !more };
  };
  return { page, last: () => lastPositionOf(tables), number: () => undefined };
};

/**
 * Reads pages for a group, one at a time and never in the turn of a call. Listens for commits while there are
 * consumers.
 */
export interface PageReader {
  readonly read: (source: PageSource, from: number, limit: number) => Promise<Page | undefined>;
  /** Listens for new events of the stream; for all commits until the stream has its first event. */
  readonly subscribe: () => void;
  readonly unsubscribe: () => void;
  readonly stop: () => void;
}

export interface PageReaderDeps {
  readonly source: PageSource;
  readonly commitNotifier: CommitNotifier;
  readonly feed: (input: Input) => void;
}

const anyStream = Symbol('everything');

export const createPageReader = ({ source, commitNotifier, feed }: PageReaderDeps): PageReader => {
  let followed: number | typeof anyStream | undefined;
  let leave: () => void = () => undefined;
  let stopped = false;
  const unfollow = (): void => {
    leave();
    leave = () => undefined;
    followed = undefined;
  };
  return {
    read: async (from, first, limit) => {
      await new Promise(setImmediate);
      return stopped ? undefined : from.page(first, limit);
    },
    subscribe: () => {
      const number = source.number();
      if (followed === (number ?? anyStream)) return;
      unfollow();
      followed = number ?? anyStream;
      leave = commitNotifier.subscribe(number, () => feed({ kind: 'rung' }));
    },
    unsubscribe: unfollow,
    stop: () => {
      stopped = true;
      unfollow();
    },
  };
};
