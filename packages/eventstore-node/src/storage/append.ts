/** Appending: expected revisions and idempotence by event id, inside one transaction. */
import { eventKey, numberOf } from './database';
import { type Head, isEnded, isMissing, isSoftDeleted } from './heads';
import type { KnownId } from './id-table';
import { endOf } from './read';
import { idOf, type NewRecord } from './record';
import { type AppendOutcome, changeMetadata, type ExpectedRevision, noStream, writeEvents } from './write';
import type { Transaction } from './writer';

const knownIn = ({ ids }: Transaction, head: Head, id: string): KnownId | undefined => {
  const known = ids.get(id);
  return known?.stream === head.number ? known : undefined;
};

const wrong = (head: Head): AppendOutcome => ({ kind: 'wrong-revision', revision: head.last });
const already = ({ revision, position }: Pick<KnownId, 'revision' | 'position'>): AppendOutcome => ({
  kind: 'appended',
  revision,
  position,
});

/** With `any`, an append is a repetition when its first id is known in the stream; then all of them must be. */
const repeatedAnywhere = (
  transaction: Transaction,
  head: Head,
  events: readonly NewRecord[],
): AppendOutcome | undefined => {
  const [first] = events;
  if (first === undefined || knownIn(transaction, head, first.id) === undefined) return undefined;
  const known = events.map(({ id }) => knownIn(transaction, head, id));
  const last = known.at(-1);
  return last === undefined || known.includes(undefined) ? wrong(head) : already(last);
};

/** Where the event stands in the stream; one that was scavenged is known for as long as its id is remembered. */
const placeOf = (transaction: Transaction, head: Head, revision: number, id: string): KnownId | undefined => {
  const { events, log } = transaction.tables;
  const position = events.get(eventKey(head.number, revision));
  const record = position === undefined ? undefined : log.get(position);
  if (position === undefined || record === undefined) {
    const known = knownIn(transaction, head, id);
    return known?.revision === revision ? known : undefined;
  }
  return idOf(record) === id ? { stream: head.number, revision, position: numberOf(position) } : undefined;
};

/** With a revision that is past, an append is a repetition when exactly its events follow that revision. */
const repeatedAfter = (
  transaction: Transaction,
  head: Head,
  after: number,
  events: readonly NewRecord[],
): AppendOutcome => {
  const places = events.map(({ id }, index) => placeOf(transaction, head, after + 1 + index, id));
  const last = places.at(-1);
  return last === undefined || places.includes(undefined) ? wrong(head) : already(last);
};

/** A soft-deleted stream is begun anew, unless by what it was begun with the first time: that is a repetition. */
const begins = (transaction: Transaction, head: Head, [first]: readonly NewRecord[]): boolean =>
  first !== undefined && placeOf(transaction, head, 0, first.id) === undefined;

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
  if (expected === head.last) return undefined;
  if (expected > head.last) return wrong(head);
  if (expected === noStream && isSoftDeleted(head) && begins(transaction, head, events)) return undefined;
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
