/** Appends events in a transaction, with expected revisions and idempotence by event id. */
import { eventKey, numberOf } from './lmdb-tables';
import { lastPositionOf } from './read-pages';
import type { KnownEventId } from './recent-event-ids';
import { idOf, type NewRecord } from './records/record-format';
import { isMissing, isSoftDeleted, isTombstoned, type StreamHead } from './streams/stream-heads';
import { type AppendOutcome, type ExpectedRevision, noStream, writeEvents, writeTruncateBefore } from './write-events';
import type { Transaction } from './writer';

const findKnownId = ({ ids }: Transaction, head: StreamHead, id: string): KnownEventId | undefined => {
  const known = ids.get(id);
  return known?.stream === head.number ? known : undefined;
};

const wrongRevision = (head: StreamHead): AppendOutcome => ({ kind: 'wrong-revision', revision: head.last });
const alreadyAppended = ({ revision, position }: Pick<KnownEventId, 'revision' | 'position'>): AppendOutcome => ({
  kind: 'appended',
  revision,
  position,
});

/** With `any`, an append is a repetition if its first id is known in the stream; then all of them must be. */
const findRepeatedAppend = (
  transaction: Transaction,
  head: StreamHead,
  events: readonly NewRecord[],
): AppendOutcome | undefined => {
  const [first] = events;
  if (first === undefined || findKnownId(transaction, head, first.id) === undefined) return undefined;
  const known = events.map(({ id }) => findKnownId(transaction, head, id));
  const last = known.at(-1);
  return last === undefined || known.includes(undefined) ? wrongRevision(head) : alreadyAppended(last);
};

/** Finds an event by revision and id; removed events are found as long as their ids are remembered. */
const findEventAt = (
  transaction: Transaction,
  head: StreamHead,
  revision: number,
  id: string,
): KnownEventId | undefined => {
  const { events, log } = transaction.tables;
  const position = events.get(eventKey(head.number, revision));
  const record = position === undefined ? undefined : log.get(position);
  if (position === undefined || record === undefined) {
    const known = findKnownId(transaction, head, id);
    return known?.revision === revision ? known : undefined;
  }
  return idOf(record) === id ? { stream: head.number, revision, position: numberOf(position) } : undefined;
};

/** With a past revision, an append is a repetition if exactly its events follow that revision. */
const findRepeatedAppendAfter = (
  transaction: Transaction,
  head: StreamHead,
  after: number,
  events: readonly NewRecord[],
): AppendOutcome => {
  const found = events.map(({ id }, index) => findEventAt(transaction, head, after + 1 + index, id));
  const last = found.at(-1);
  return last === undefined || found.includes(undefined) ? wrongRevision(head) : alreadyAppended(last);
};

/** Whether the append restarts a soft-deleted stream; repeating its original first event does not. */
const isNewBeginning = (transaction: Transaction, head: StreamHead, first: NewRecord | undefined): boolean =>
  first !== undefined && findEventAt(transaction, head, 0, first.id) === undefined;

/** The outcome if nothing is to be written, else undefined. */
const outcomeWithoutWriting = (
  transaction: Transaction,
  head: StreamHead | undefined,
  expected: ExpectedRevision,
  events: readonly NewRecord[],
): AppendOutcome | undefined => {
  if (head === undefined || isMissing(head)) {
    // For `exists`, a stream with metadata exists.
    const isSatisfied = expected === 'any' || expected === noStream || (expected === 'exists' && head !== undefined);
    return isSatisfied ? undefined : { kind: 'wrong-revision', revision: noStream };
  }
  if (expected === 'exists' && isSoftDeleted(head)) return { kind: 'stream-deleted' };
  if (expected === 'any' || expected === 'exists') return findRepeatedAppend(transaction, head, events);
  if (expected === head.last) return undefined;
  if (expected > head.last) return wrongRevision(head);
  if (expected === noStream && isSoftDeleted(head) && isNewBeginning(transaction, head, events[0])) return undefined;
  return findRepeatedAppendAfter(transaction, head, expected, events);
};

export interface AppendRequest {
  readonly stream: Buffer;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewRecord[];
}

export const append =
  ({ stream, expected, events }: AppendRequest) =>
  (transaction: Transaction): AppendOutcome => {
    const head = transaction.heads.get(stream);
    if (isTombstoned(transaction.heads, stream)) return { kind: 'stream-deleted' };
    const outcome = outcomeWithoutWriting(transaction, head, expected, events);
    if (outcome !== undefined) return outcome;
    // The newest position: a later one would make a subscription that resumes from it skip the next event.
    if (events.length === 0)
      return { kind: 'appended', revision: head?.last ?? noStream, position: lastPositionOf(transaction.tables) ?? 0 };
    const written = writeEvents(transaction, stream, events);
    // Events hidden by a soft delete stay hidden when the stream is used again.
    if (head !== undefined && isSoftDeleted(head)) writeTruncateBefore(transaction, stream, String(head.last + 1));
    return written;
  };
