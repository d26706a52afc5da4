/**
 * Where in a document's log a version is: events say which versions they hold, revisions do not. Versions grow with revisions about
 * evenly, so where it should be is looked at first; halving by turns keeps the worst case small.
 */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { EventStoreFault, StoredEvent } from '../../../infra/ports/event-store';
import type { StreamReader } from '../../../infra/ports/stream-pages';
import { type Span, spanOf } from './spans';

type Found<A> = Promise<Either<EventStoreFault, A>>;

/** Some neighbours tell more than one event; of large ones the first is enough. */
const pageSize = 16;
const pageBytes = 65_536;

interface Bounds {
  readonly version: number;
  /** The last event known not to go beyond the version. */
  readonly start: Pick<Span, 'revision' | 'toVersion'>;
  /** The first known to go beyond it. */
  readonly target: Span;
  /** None from here on and before the target says anything of versions. */
  readonly end: number;
}

const spansOf = (events: readonly StoredEvent[]): readonly Span[] => events.flatMap((event) => spanOf(event) ?? []);

/** By what stands in the log from a revision on without a gap. */
const narrowed = (bounds: Bounds, from: number, spans: readonly Span[]): Bounds => {
  const beyond = spans.find(({ toVersion }) => toVersion > bounds.version);
  const start = spans.findLast(({ toVersion }) => toVersion <= bounds.version) ?? bounds.start;
  if (beyond === undefined && spans.length > 0) return { ...bounds, start };
  return { ...bounds, start, target: beyond ?? bounds.target, end: Math.max(from, start.revision + 1) };
};

const isFound = ({ start, end }: Bounds): boolean => end <= start.revision + 1;

const guessIn = ({ version, start, target, end }: Bounds, step: number): number => {
  const share = (version + 1 - start.toVersion) / Math.max(1, target.toVersion - start.toVersion);
  const likely = start.revision + Math.floor(share * (target.revision - start.revision)) - pageSize / 2;
  const guess = step % 2 === 0 ? likely : Math.floor((start.revision + end) / 2);
  return Math.min(end - 1, Math.max(start.revision + 1, guess));
};

/** What stands from a revision on: at least one event that says something of versions, where there is one before the end. */
const spansFrom = async (
  pages: StreamReader,
  stream: string,
  [from, end]: readonly [number, number],
): Found<readonly Span[]> => {
  for (let next = from, limit = pageSize; next < end; limit *= 4) {
    const asked = { stream, from: next, direction: 'forwards', limit: Math.min(limit, end - next) } as const;
    const read = await pages({ ...asked, mostBytes: pageBytes });
    if (isLeft(read)) return read;
    const spans = spansOf(read.right.events);
    const last = read.right.events.at(-1);
    if (spans.length > 0 || last === undefined) return right(spans);
    next = last.revision + 1;
  }
  return right([]);
};

const search = async (pages: StreamReader, stream: string, known: Bounds): Found<Span> => {
  let bounds = known;
  for (let step = 0; !isFound(bounds); step += 1) {
    const from = guessIn(bounds, step);
    const spans = await spansFrom(pages, stream, [from, bounds.end]);
    if (isLeft(spans)) return spans;
    bounds = narrowed(bounds, from, spans.right);
  }
  return right(bounds.target);
};

interface Tail {
  /** Of the first event read. */
  readonly from: number;
  readonly spans: readonly Span[];
}

const tailOf = async (pages: StreamReader, stream: string): Found<Tail> => {
  for (let from: number | undefined, limit = pageSize; from === undefined || from >= 0; limit *= 4) {
    const asked = { stream, direction: 'backwards', limit, mostBytes: pageBytes } as const;
    const read = await pages(from === undefined ? asked : { ...asked, from });
    if (isLeft(read)) return read;
    const events = read.right.events.toReversed();
    const spans = spansOf(events);
    const first = events[0]?.revision ?? 0;
    if (spans.length > 0) return right({ from: first, spans });
    from = first - 1;
  }
  return right({ from: 0, spans: [] });
};

export interface VersionPlace {
  /** The last version there is. */
  readonly headVersion: number;
  /** The first that goes beyond the version; absent where none does. */
  readonly event?: Span;
}

export const placeAfter = async (pages: StreamReader, stream: string, version: number): Found<VersionPlace> => {
  const tail = await tailOf(pages, stream);
  if (isLeft(tail)) return tail;
  const { from, spans } = tail.right;
  const headVersion = spans.at(-1)?.toVersion ?? 0;
  const target = spans.find(({ toVersion }) => toVersion > version);
  if (target === undefined) return right({ headVersion });
  const start = { revision: -1, toVersion: 0 };
  const found = await search(pages, stream, narrowed({ version, start, target, end: from }, from, spans));
  return isLeft(found) ? found : right({ headVersion, event: found.right });
};

/** 0 where nothing was committed yet. */
export const headVersionOf = async (pages: StreamReader, stream: string): Found<number> => {
  const tail = await tailOf(pages, stream);
  return isLeft(tail) ? tail : right(tail.right.spans.at(-1)?.toVersion ?? 0);
};
