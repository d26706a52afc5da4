/** Encodes decided events for the log, with derived ids and size limits. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import type { EventMetadata } from '../../domain/kernel/metadata';
import { fault } from '../../domain/kernel/rejection';
import type { EventStoreFault, NewEvent } from '../../infra/ports/event-store';
import { derivedId } from './deterministic-ids';

const maxEvents = 100;
const maxBytes = 512 * 1024;

export interface EncodedEvents<Event> {
  readonly stored: readonly NewEvent[];
  /** As a reader will decode them. */
  readonly events: readonly Event[];
}

/** An event that its family cannot decode would make the stream unreadable. */
const decodeAgain = <Event extends DomainEvent>(
  family: Family<Event>,
  { type, data }: { readonly type: string; readonly data: unknown },
): Event => {
  const read = family.decode(type, data);
  if (isLeft(read)) throw new Error(`${type} was decided with data that cannot be read back`);
  return read.right;
};

/**
 * The id covers the event's whole content, not only command id and index: the store answers an append of known ids
 * as done, which must not happen to another command under the same id, nor to one decided at another moment.
 */
const newEvent = (
  stream: string,
  encoded: { type: string; data: unknown },
  { metadata, index }: { readonly metadata: EventMetadata; readonly index: number },
) => {
  const { commandId, commandHash } = metadata;
  const json = JSON.stringify(encoded.data);
  const id = derivedId(stream, commandId, commandHash, index, encoded.type, json);
  return { event: { id, ...encoded, metadata }, bytes: Buffer.byteLength(json) };
};

export const encodeEvents = <Event extends DomainEvent>(
  family: Family<Event>,
  stream: string,
  { decided, metadata }: { readonly decided: readonly Event[]; readonly metadata: EventMetadata },
): Either<EventStoreFault, EncodedEvents<Event>> => {
  if (decided.length > maxEvents) return left(fault('event-refused', `One change makes at most ${maxEvents} events.`));
  const [stored, events]: [NewEvent[], Event[]] = [[], []];
  let bytes = 0;
  for (const [index, event] of decided.entries()) {
    const encoded = family.encode(event);
    const made = newEvent(stream, encoded, { metadata, index });
    bytes += made.bytes;
    stored.push(made.event);
    events.push(decodeAgain(family, encoded));
  }
  return bytes > maxBytes
    ? left(fault('event-refused', 'The change is larger than 512 KB.'))
    : right({ stored, events });
};
