/** Decided events, made ready for the log. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import type { EventMetadata } from '../../domain/kernel/metadata';
import { fault } from '../../domain/kernel/rejection';
import type { EventStoreFault, NewEvent } from '../../infra/ports/event-store';
import { derivedId } from './derive';

const mostEvents = 100;
const mostBytes = 512 * 1024;

/** An event that its own family cannot read back would close the stream for ever. */
const assertReadable = (family: Family<DomainEvent>, { type, data }: { type: string; data: unknown }): void => {
  if (isLeft(family.decode(type, data))) throw new Error(`${type} was decided with data that cannot be read back`);
};

/**
 * The id holds all that the event says, not only the command's id and a number: the store answers an append of known ids
 * as done, which must not happen to another command under the same id, nor to one decided at another moment.
 */
const newEvent = (
  stream: string,
  encoded: { type: string; data: unknown },
  [metadata, index]: [EventMetadata, number],
) => {
  const { commandId, commandHash } = metadata;
  const json = JSON.stringify(encoded.data);
  const id = derivedId(stream, commandId, commandHash, index, encoded.type, json);
  return { event: { id, ...encoded, metadata }, bytes: Buffer.byteLength(json) };
};

export const propose = <Event extends DomainEvent>(
  family: Family<Event>,
  stream: string,
  [events, metadata]: readonly [readonly Event[], EventMetadata],
): Either<EventStoreFault, readonly NewEvent[]> => {
  if (events.length > mostEvents) return left(fault('event-refused', `One change makes at most ${mostEvents} events.`));
  const made = events.map((event, index) => {
    const encoded = family.encode(event);
    assertReadable(family as unknown as Family<DomainEvent>, encoded);
    return newEvent(stream, encoded, [metadata, index]);
  });
  const bytes = made.reduce((sum, one) => sum + one.bytes, 0);
  if (bytes > mostBytes) return left(fault('event-refused', 'The change is larger than 512 KB.'));
  return right(made.map(({ event }) => event));
};
