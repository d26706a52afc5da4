/** What a log holds and what it takes, read beside whoever serves it. Memory and the time of each look are bounded. */
import { eventKey, numberOf, positionKey } from '../storage/database';
import { type Head, isSoftDeleted } from '../storage/heads';
import { streamOf } from '../storage/record';
import { keepLongest, type Length, type Longest } from './longest';
import { type EnvironmentStats, extentOf, pagesOf, type Snapshot, statsOf } from './snapshot';

const looksAtOnce = 1_000;
const longestListed = 10;
const system = 0x24;

interface Counts {
  system: number;
  deleted: number;
  tombstoned: number;
}

/** The lowest and the highest revision that are there, whatever metadata hides of them. */
const rangeOf = ({ events }: Snapshot, number: number): Length | undefined => {
  const [low, high] = [eventKey(number, 0), eventKey(number, Number.MAX_SAFE_INTEGER)];
  const [first] = [...events.getKeys({ start: low, end: high, limit: 1 })];
  if (first === undefined) return undefined;
  const [last = first] = [...events.getKeys({ start: high, end: low, reverse: true, limit: 1 })];
  return { number, first: numberOf(first, 8), last: numberOf(last, 8) };
};

type Stored = Omit<Head, 'last'>;

const count = (counts: Counts, name: Buffer, stored: Stored): void => {
  if (name[0] === system) counts.system += 1;
  if (stored.tombstoned) counts.tombstoned += 1;
  else if (isSoftDeleted({ ...stored, last: 0 })) counts.deleted += 1;
};

/** So many streams from a name on; answers the last name looked at, undefined after all of them. */
const lookAtSome = (snapshot: Snapshot, after: Buffer | undefined, counts: Counts, longest: Longest) => {
  let looked = 0;
  let last: Buffer | undefined;
  const start = after === undefined ? {} : { start: after, exclusiveStart: true };
  for (const { key, value } of snapshot.streams.getRange({ ...start, limit: looksAtOnce })) {
    looked += 1;
    last = key;
    const stored = JSON.parse(value.toString('utf8')) as Stored;
    count(counts, key, stored);
    const range = rangeOf(snapshot, stored.number);
    if (range !== undefined) longest.offer(range);
  }
  return looked === looksAtOnce ? last : undefined;
};

const nameOf = ({ events, log }: Snapshot, { number, last }: Length): string => {
  const position = events.get(eventKey(number, last));
  const record = position === undefined ? undefined : log.get(positionKey(numberOf(position)));
  return record === undefined ? '' : streamOf(record).toString('utf8');
};

const spaceOf = (snapshot: Snapshot, stats: EnvironmentStats) => {
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

export const inventoryOf = async (snapshot: Snapshot) => {
  const counts: Counts = { system: 0, deleted: 0, tombstoned: 0 };
  const longest = keepLongest(longestListed);
  let after = lookAtSome(snapshot, undefined, counts, longest);
  while (after !== undefined) {
    // Each turn is a read transaction of its own: none keeps the server from using space again for long.
    await new Promise((resolve) => setTimeout(resolve));
    after = lookAtSome(snapshot, after, counts, longest);
  }
  const extent = extentOf(snapshot);
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
    longestStreams: longest.list().map((one) => ({ stream: nameOf(snapshot, one), first: one.first, last: one.last })),
  };
};
