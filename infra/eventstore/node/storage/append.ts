/** Appending: expected revisions and idempotence by event id, inside one transaction. */
import { eventKey, numberOf } from './database';
import { type Head, isEnded, isMissing, isSoftDeleted } from './heads';
import { endOf } from './read';
import { idOf, type NewRecord } from './record';
import { type AppendOutcome, changeMetadata, type ExpectedRevision, noStream, writeEvents } from './write';
import type { Transaction } from './writer';

const positionOf = ({ tables }: Transaction, head: Head, revision: number): number => {
  const stored = tables.events.get(eventKey(head.number, revision));
  return stored === undefined ? 0 : numberOf(stored);
};

const revisionOfId = ({ ids }: Transaction, head: Head, id: string): number | undefined => {
  const known = ids.get(id);
  return known?.stream === head.number ? known.revision : undefined;
};

const wrong = (head: Head): AppendOutcome => ({ kind: 'wrong-revision', revision: head.last });
const already = (transaction: Transaction, head: Head, revision: number): AppendOutcome => ({
  kind: 'appended',
  revision,
  position: positionOf(transaction, head, revision),
});

/** With `any`, an append is a repetition when its first id is known in the stream; then all of them must be. */
const repeatedAnywhere = (
  transaction: Transaction,
  head: Head,
  events: readonly NewRecord[],
): AppendOutcome | undefined => {
  const [first] = events;
  if (first === undefined || revisionOfId(transaction, head, first.id) === undefined) return undefined;
  const revisions = events.map(({ id }) => revisionOfId(transaction, head, id));
  const last = revisions.at(-1);
  if (last === undefined || revisions.includes(undefined)) return wrong(head);
  return already(transaction, head, last);
};

/** With a revision that is past, an append is a repetition when exactly its events follow that revision. */
const repeatedAfter = (
  transaction: Transaction,
  head: Head,
  after: number,
  events: readonly NewRecord[],
): AppendOutcome => {
  const same = events.every(({ id }, index) => {
    const position = transaction.tables.events.get(eventKey(head.number, after + 1 + index));
    const record = position === undefined ? undefined : transaction.tables.log.get(position);
    return record !== undefined && idOf(record) === id;
  });
  return same && events.length > 0 ? already(transaction, head, after + events.length) : wrong(head);
};

/** The answer without writing, or undefined when the events are to be written. */
const settled = (
  transaction: Transaction,
  head: Head | undefined,
  expected: ExpectedRevision,
  events: readonly NewRecord[],
): AppendOutcome | undefined => {
  if (head === undefined || isMissing(head)) {
    // A stream that has metadata exists, as far as `exists` is concerned.
    const there = expected === 'any' || expected === noStream || (expected === 'exists' && head !== undefined);
    return there ? undefined : { kind: 'wrong-revision', revision: noStream };
  }
  if (expected === 'exists' && isSoftDeleted(head)) return { kind: 'stream-deleted' };
  if (expected === 'any' || expected === 'exists') return repeatedAnywhere(transaction, head, events);
  if (expected === head.last || (expected === noStream && isSoftDeleted(head))) return undefined;
  if (expected > head.last) return wrong(head);
  return repeatedAfter(transaction, head, expected, events);
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
    if (isEnded(transaction.heads, stream)) return { kind: 'stream-deleted' };
    const answer = settled(transaction, head, expected, events);
    if (answer !== undefined) return answer;
    // The newest event's position: the next one's would hide that event from a subscription that goes on from here.
    if (events.length === 0)
      return { kind: 'appended', revision: head?.last ?? noStream, position: endOf(transaction.tables) ?? 0 };
    const written = writeEvents(transaction, stream, events);
    // What a soft delete hid stays hidden when the stream is used again.
    if (head !== undefined && isSoftDeleted(head)) changeMetadata(transaction, stream, String(head.last + 1));
    return written;
  };
