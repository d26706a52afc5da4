/** Finds the streams that may have something to remove, without a transaction and without filling caches. */
import { eventKey, numberOf, type Tables } from '../storage/database';
import { type Head, type Heads, isMetadataStream, loadHead, nameIn } from '../storage/heads';
import { createdOf, streamOf } from '../storage/record';
import { removableBefore, removableBelow } from './removable';

/** Streams looked at before others have their turn. */
const pageStreams = 128;

interface First {
  readonly revision: number;
  readonly position: Buffer;
}

const firstOf = ({ events }: Tables, number: number): First | undefined => {
  const range = { start: eventKey(number, 0), end: eventKey(number, Number.POSITIVE_INFINITY), limit: 1 };
  for (const { key, value } of events.getRange(range)) return { revision: numberOf(key, 8), position: value };
  return undefined;
};

/** Most streams have no metadata: one look is enough. */
const mayHide = (key: Buffer, { tombstoned, retention }: Pick<Head, 'tombstoned' | 'retention'>): boolean =>
  tombstoned || isMetadataStream(key) || Object.keys(retention).length > 0;

const hidesFirst = (tables: Tables, heads: Heads, name: Buffer, first: First): boolean => {
  const head = heads.get(name);
  if (head === undefined) return false;
  if (first.revision < removableBelow(heads, name, head)) return true;
  const before = removableBefore(head, Date.now());
  if (before === undefined || first.revision >= head.last) return false;
  const record = tables.log.get(first.position);
  return record === undefined || createdOf(record) < before;
};

const nameOf = ({ log }: Tables, key: Buffer, { position }: First): Buffer | undefined => {
  const record = nameIn(key) === undefined ? log.get(position) : undefined;
  return nameIn(key) ?? (record && streamOf(record));
};

/** The stream's name if its first event may go. */
const candidateIn = (tables: Tables, heads: Heads, key: Buffer, stored: Buffer): Buffer | undefined => {
  const lasting = JSON.parse(stored.toString('utf8')) as Omit<Head, 'last'>;
  const first = mayHide(key, lasting) ? firstOf(tables, lasting.number) : undefined;
  const name = first && nameOf(tables, key, first);
  return first !== undefined && name !== undefined && hidesFirst(tables, heads, name, first) ? name : undefined;
};

const zero = Buffer.alloc(1);

/** In groups of the table's pages; some are empty. */
export async function* candidates(tables: Tables): AsyncGenerator<readonly Buffer[]> {
  const heads: Heads = { get: (name) => loadHead(tables, name), set: () => undefined };
  let start: Buffer | undefined = zero;
  while (start !== undefined) {
    const page: readonly { key: Buffer; value: Buffer }[] = [...tables.streams.getRange({ start, limit: pageStreams })];
    yield page.flatMap(({ key, value }) => candidateIn(tables, heads, key, value) ?? []);
    const last = page.at(-1)?.key;
    start = last && Buffer.concat([last, zero]);
    await new Promise(setImmediate);
  }
}
