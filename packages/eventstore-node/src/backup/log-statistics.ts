/** Statistics of a log, which may be served meanwhile. Memory and the time of each read transaction are bounded. */
import { eventKey, numberOf, positionKey } from '../storage/lmdb-tables';
import { streamOf } from '../storage/records/record-format';
import { isSoftDeleted, type StreamHead } from '../storage/streams/stream-heads';
import { type EnvironmentStats, type LogSnapshot, pagesOf, readExtent, statsOf } from './log-snapshot';

const streamsPerTransaction = 1_000;
const maxListedStreams = 10;
const dollar = 0x24;

interface StreamCounts {
  system: number;
  deleted: number;
  tombstoned: number;
}

/** The lowest and highest stored revision, including events that metadata hides. */
const rangeOf = ({ events }: LogSnapshot, number: number): StreamLength | undefined => {
  const [low, high] = [eventKey(number, 0), eventKey(number, Number.MAX_SAFE_INTEGER)];
  const [first] = [...events.getKeys({ start: low, end: high, limit: 1 })];
  if (first === undefined) return undefined;
  const [last = first] = [...events.getKeys({ start: high, end: low, reverse: true, limit: 1 })];
  return { number, first: numberOf(first, 8), last: numberOf(last, 8) };
};

type StoredHead = Omit<StreamHead, 'last'>;

const countStream = (counts: StreamCounts, name: Buffer, stored: StoredHead): void => {
  if (name[0] === dollar) counts.system += 1;
  if (stored.tombstoned) counts.tombstoned += 1;
  else if (isSoftDeleted({ ...stored, last: 0 })) counts.deleted += 1;
};

/** Reads this many streams from a name on. Returns the last name read, undefined after all of them. */
const countNextStreams = (
  snapshot: LogSnapshot,
  after: Buffer | undefined,
  counts: StreamCounts,
  longestStreams: LongestStreams,
) => {
  let counted = 0;
  let last: Buffer | undefined;
  const start = after === undefined ? {} : { start: after, exclusiveStart: true };
  for (const { key, value } of snapshot.streams.getRange({ ...start, limit: streamsPerTransaction })) {
    counted += 1;
    last = key;
    const stored = JSON.parse(value.toString('utf8')) as StoredHead;
    countStream(counts, key, stored);
    const range = rangeOf(snapshot, stored.number);
    if (range !== undefined) longestStreams.offer(range);
  }
  return counted === streamsPerTransaction ? last : undefined;
};

const nameOf = ({ events, log }: LogSnapshot, { number, last }: StreamLength): string => {
  const position = events.get(eventKey(number, last));
  const record = position === undefined ? undefined : log.get(positionKey(numberOf(position)));
  return record === undefined ? '' : streamOf(record).toString('utf8');
};

const spaceOf = (snapshot: LogSnapshot, stats: EnvironmentStats) => {
  const { pageSize, lastPageNumber, mapSize } = stats;
  const pages = { log: statsOf(snapshot.log), events: statsOf(snapshot.events), streams: statsOf(snapshot.streams) };
  const used = [pages.log, pages.events, pages.streams, stats, stats.free].reduce(
    (sum, each) => sum + pagesOf(each),
    2,
  );
  const freePages = Math.max(0, lastPageNumber + 1 - used);
  return {
    logBytes: pagesOf(pages.log) * pageSize,
    indexBytes: (pagesOf(pages.events) + pagesOf(pages.streams)) * pageSize,
    fileBytes: (lastPageNumber + 1) * pageSize,
    freePages,
    freeBytes: freePages * pageSize,
    mapBytes: mapSize,
  };
};

export const collectStatistics = async (snapshot: LogSnapshot) => {
  const counts: StreamCounts = { system: 0, deleted: 0, tombstoned: 0 };
  const longestStreams = trackLongestStreams(maxListedStreams);
  let after = countNextStreams(snapshot, undefined, counts, longestStreams);
  while (after !== undefined) {
    // Each turn has its own read transaction, so that none keeps the server from reusing space for long.
    await new Promise((resolve) => setTimeout(resolve));
    after = countNextStreams(snapshot, after, counts, longestStreams);
  }
  const extent = readExtent(snapshot);
  const stats = statsOf(snapshot.root);
  return {
    events: statsOf(snapshot.log).entryCount,
    streams: statsOf(snapshot.streams).entryCount,
    systemStreams: counts.system,
    deletedStreams: counts.deleted,
    tombstonedStreams: counts.tombstoned,
    firstPosition: extent?.first ?? null,
    lastPosition: extent?.last ?? null,
    ...spaceOf(snapshot, stats),
    longestStreams: longestStreams
      .list()
      .map((one) => ({ stream: nameOf(snapshot, one), first: one.first, last: one.last })),
  };
};

/** The longest streams of a log, in a list of bounded length. */
export interface StreamLength {
  readonly number: number;
  readonly first: number;
  readonly last: number;
}

const lengthOf = ({ first, last }: StreamLength): number => last - first + 1;

export interface LongestStreams {
  readonly offer: (stream: StreamLength) => void;
  /** Longest first. */
  readonly list: () => readonly StreamLength[];
}

export const trackLongestStreams = (maxStreams: number): LongestStreams => {
  const longest: StreamLength[] = [];
  return {
    offer: (stream) => {
      const shortest = longest.at(-1);
      if (longest.length === maxStreams && shortest !== undefined && lengthOf(stream) <= lengthOf(shortest)) return;
      const before = longest.findIndex((other) => lengthOf(other) < lengthOf(stream));
      longest.splice(before < 0 ? longest.length : before, 0, stream);
      longest.length = Math.min(longest.length, maxStreams);
    },
    list: () => longest,
  };
};
