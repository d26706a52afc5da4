/** Finds streams with removable events, without a transaction and without filling caches. */
import { eventKey, numberOf, type Tables } from '../storage/lmdb-tables';
import { createdOf, streamOf } from '../storage/records/record-format';
import {
  isMetadataStream,
  loadHead,
  nameOfKey,
  type StreamHead,
  type StreamHeads,
} from '../storage/streams/stream-heads';
import { removableBefore, removableBelow } from './removable';

/** Streams per page; other work runs between pages. */
const streamsPerPage = 128;

interface FirstEvent {
  readonly revision: number;
  readonly position: Buffer;
}

const findFirstEvent = ({ events }: Tables, number: number): FirstEvent | undefined => {
  const range = { start: eventKey(number, 0), end: eventKey(number, Number.POSITIVE_INFINITY), limit: 1 };
  for (const { key, value } of events.getRange(range)) return { revision: numberOf(key, 8), position: value };
  return undefined;
};

/** Most streams have no metadata, which rules them out at once. */
const mayHide = (key: Buffer, { tombstoned, retention }: Pick<StreamHead, 'tombstoned' | 'retention'>): boolean =>
  tombstoned || isMetadataStream(key) || Object.keys(retention).length > 0;

const hidesFirst = (tables: Tables, heads: StreamHeads, name: Buffer, first: FirstEvent): boolean => {
  const head = heads.get(name);
  if (head === undefined) return false;
  if (first.revision < removableBelow(heads, name, head)) return true;
  const before = removableBefore(head, Date.now());
  if (before === undefined || first.revision >= head.last) return false;
  const record = tables.log.get(first.position);
  return record === undefined || createdOf(record) < before;
};

const readStreamName = ({ log }: Tables, key: Buffer, { position }: FirstEvent): Buffer | undefined => {
  const record = nameOfKey(key) === undefined ? log.get(position) : undefined;
  return nameOfKey(key) ?? (record && streamOf(record));
};

/** The stream's name if its first event is removable. */
const checkCandidate = (tables: Tables, heads: StreamHeads, key: Buffer, stored: Buffer): Buffer | undefined => {
  const lasting = JSON.parse(stored.toString('utf8')) as Omit<StreamHead, 'last'>;
  const first = mayHide(key, lasting) ? findFirstEvent(tables, lasting.number) : undefined;
  const name = first && readStreamName(tables, key, first);
  return first !== undefined && name !== undefined && hidesFirst(tables, heads, name, first) ? name : undefined;
};

const zero = Buffer.alloc(1);

/** Yields the candidates of each page; a page may have none. */
export async function* findCandidates(tables: Tables): AsyncGenerator<readonly Buffer[]> {
  const heads: StreamHeads = { get: (name) => loadHead(tables, name), set: () => undefined };
  let start: Buffer | undefined = zero;
  while (start !== undefined) {
    const page: readonly { key: Buffer; value: Buffer }[] = [
      ...tables.streams.getRange({ start, limit: streamsPerPage }),
    ];
    yield page.flatMap(({ key, value }) => checkCandidate(tables, heads, key, value) ?? []);
    const last = page.at(-1)?.key;
    start = last && Buffer.concat([last, zero]);
    await new Promise(setImmediate);
  }
}
