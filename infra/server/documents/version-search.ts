/**
 * Finds the event that holds a version of a document. Versions grow about evenly with revisions, so the search interpolates; every other
 * step bisects, which bounds the worst case.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { EventStoreFault, StoredEvent } from '../../ports/event-store';
import type { StreamReader } from '../../ports/stream-pages';
import { type VersionRange, versionRangeOf } from './version-range';

type Found<A> = Promise<Either<EventStoreFault, A>>;

/** A page has a few events, as some have no version range; of large events the first is enough. */
const pageSize = 16;
const pageBytes = 65_536;

interface Bounds {
  readonly version: number;
  /** The last event known not to go beyond the version. */
  readonly start: Pick<VersionRange, 'revision' | 'toVersion'>;
  /** The first known to go beyond it. */
  readonly target: VersionRange;
  /** No event from here on and before the target has a version range. */
  readonly end: number;
}

const rangesOf = (events: readonly StoredEvent[]): readonly VersionRange[] =>
  events.flatMap((event) => versionRangeOf(event) ?? []);

/** By the ranges of consecutive events from a revision on. */
const narrowed = (bounds: Bounds, from: number, ranges: readonly VersionRange[]): Bounds => {
  const beyond = ranges.find(({ toVersion }) => toVersion > bounds.version);
  const start = ranges.findLast(({ toVersion }) => toVersion <= bounds.version) ?? bounds.start;
  if (beyond === undefined && ranges.length > 0) return { ...bounds, start };
  return { ...bounds, start, target: beyond ?? bounds.target, end: Math.max(from, start.revision + 1) };
};

const isFound = ({ start, end }: Bounds): boolean => end <= start.revision + 1;

const guessIn = ({ version, start, target, end }: Bounds, step: number): number => {
  const share = (version + 1 - start.toVersion) / Math.max(1, target.toVersion - start.toVersion);
  const likely = start.revision + Math.floor(share * (target.revision - start.revision)) - pageSize / 2;
  const guess = step % 2 === 0 ? likely : Math.floor((start.revision + end) / 2);
  return Math.min(end - 1, Math.max(start.revision + 1, guess));
};

/** Reads from a revision on until a page has a range, or the end is reached. */
const rangesFrom = async (
  pages: StreamReader,
  stream: string,
  { from, end }: { readonly from: number; readonly end: number },
): Found<readonly VersionRange[]> => {
  for (let next = from, limit = pageSize; next < end; limit *= 4) {
    const request = { stream, from: next, direction: 'forwards', limit: Math.min(limit, end - next) } as const;
    const read = await pages({ ...request, mostBytes: pageBytes });
    if (isLeft(read)) return read;
    const ranges = rangesOf(read.right.events);
    const last = read.right.events.at(-1);
    if (ranges.length > 0 || last === undefined) return right(ranges);
    next = last.revision + 1;
  }
  return right([]);
};

const search = async (pages: StreamReader, stream: string, known: Bounds): Found<VersionRange> => {
  let bounds = known;
  for (let step = 0; !isFound(bounds); step += 1) {
    const from = guessIn(bounds, step);
    const ranges = await rangesFrom(pages, stream, { from, end: bounds.end });
    if (isLeft(ranges)) return ranges;
    bounds = narrowed(bounds, from, ranges.right);
  }
  return right(bounds.target);
};

interface Tail {
  /** Of the first event read. */
  readonly from: number;
  readonly ranges: readonly VersionRange[];
}

const tailOf = async (pages: StreamReader, stream: string): Found<Tail> => {
  for (let from: number | undefined, limit = pageSize; from === undefined || from >= 0; limit *= 4) {
    const request = { stream, direction: 'backwards', limit, mostBytes: pageBytes } as const;
    const read = await pages(from === undefined ? request : { ...request, from });
    if (isLeft(read)) return read;
    const events = read.right.events.toReversed();
    const ranges = rangesOf(events);
    const first = events[0]?.revision ?? 0;
    if (ranges.length > 0) return right({ from: first, ranges });
    from = first - 1;
  }
  return right({ from: 0, ranges: [] });
};

export interface VersionLocation {
  /** The last version there is. */
  readonly headVersion: number;
  /** The first that goes beyond the version; absent where none does. */
  readonly event?: VersionRange;
}

export const findFirstAfter = async (pages: StreamReader, stream: string, version: number): Found<VersionLocation> => {
  const tail = await tailOf(pages, stream);
  if (isLeft(tail)) return tail;
  const { from, ranges } = tail.right;
  const headVersion = ranges.at(-1)?.toVersion ?? 0;
  const target = ranges.find(({ toVersion }) => toVersion > version);
  if (target === undefined) return right({ headVersion });
  const start = { revision: -1, toVersion: 0 };
  const found = await search(pages, stream, narrowed({ version, start, target, end: from }, from, ranges));
  return isLeft(found) ? found : right({ headVersion, event: found.right });
};

/** 0 where nothing was committed yet. */
export const readHeadVersion = async (pages: StreamReader, stream: string): Found<number> => {
  const tail = await tailOf(pages, stream);
  return isLeft(tail) ? tail : right(tail.right.ranges.at(-1)?.toVersion ?? 0);
};
