/** Events on their way into the log: their bytes, and what no log would take. */
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { EventStoreFault, NewEvent } from '../../../ports/event-store';

/** EventStoreDB's maximum append size: bytes of data, all events of an append together. */
const maximumBytes = 1_048_576;

export interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: Buffer;
  readonly metadata: Buffer;
}

const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const refused = (detail: string): EventStoreFault => fault('event-refused', detail);

/** Refuses plain secrets: the log is permanent, so a process without the vault must not write them. */
const refuseSecrets = (events: readonly NewEvent[]): void => {
  const open = events.find(({ secrets }) => secrets !== undefined);
  if (open !== undefined) throw new Error(`${open.type} reached the log with secrets that are not sealed`);
};

export const encodeProposedEvents = (
  events: readonly NewEvent[],
): Either<EventStoreFault, readonly ProposedEvent[]> => {
  refuseSecrets(events);
  if (events.length === 0) return left(refused('An append needs an event.'));
  const proposed = events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    data: jsonBytes(data),
    metadata: jsonBytes(metadata),
  }));
  const size = proposed.reduce((sum, { data }) => sum + data.length, 0);
  return size > maximumBytes ? left(refused('The events are too large for one append.')) : right(proposed);
};
