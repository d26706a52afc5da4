/** Resolves `$>` links: data `N@stream` names another event. */
import { eventKey, numberOf } from '../lmdb-tables';
import { dataOf, isIntact, type StoredRecord, typeOf } from '../records/record-format';
import type { Storage } from '../storage';
import { firstVisibleRevision, isTombstoned } from './stream-heads';

const linkType = Buffer.from('$>');
const linkShape = /^(\d{1,15})@(.+)$/s;

export interface ResolvedEvent {
  /** Undefined if the link's target does not exist. */
  readonly event: StoredRecord | undefined;
  readonly link?: StoredRecord;
}

const findTarget = ({ tables, heads }: Storage, revision: number, stream: Buffer): StoredRecord | undefined => {
  const head = heads.get(stream);
  if (head === undefined || isTombstoned(heads, stream) || revision < firstVisibleRevision(stream, head))
    return undefined;
  const stored = tables.events.get(eventKey(head.number, revision));
  const bytes = stored === undefined ? undefined : tables.log.get(stored);
  if (stored === undefined || bytes === undefined || !isIntact(bytes)) return undefined;
  return { position: numberOf(stored), bytes };
};

/** One level only: a link to a link gives the inner link. */
export const resolveLink = (
  storage: Storage,
  record: StoredRecord,
  mayRead: (stream: Buffer) => boolean = () => true,
): ResolvedEvent => {
  if (!typeOf(record.bytes).equals(linkType)) return { event: record };
  const [, revision, stream] = linkShape.exec(dataOf(record.bytes).toString('utf8')) ?? [];
  if (revision === undefined || stream === undefined) return { event: record };
  const target = Buffer.from(stream);
  return { event: mayRead(target) ? findTarget(storage, Number(revision), target) : undefined, link: record };
};
