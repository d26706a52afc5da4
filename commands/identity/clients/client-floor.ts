/** Since when tokens of a client count: when it was disabled stands beside the event, not in it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { clients } from '../../../domain/identity/client/events';
import { floorOf } from '../../../domain/identity/client/floor';
import { clientStream } from '../../../domain/identity/streams';
import { decode } from '../../../domain/kernel/codec';
import { EventMetadata } from '../../../domain/kernel/metadata';
import type { EventStoreFault, StoredEvent } from '../../../infra/ports/event-store';
import type { StreamSource } from '../../kernel/load-stream';
import type { ClientName } from './client-name';

const disablings = new Set(clients.storedTypes.filter((type) => type.includes('.ClientDisabled.')));

const floorIn = ({ stream, type, metadata }: StoredEvent): readonly number[] => {
  if (!disablings.has(type)) return [];
  const recorded = decode(EventMetadata, metadata);
  // Not to know since when would be to let everything live.
  if (isLeft(recorded)) throw new Error(`the metadata of ${type} in ${stream} cannot be read`);
  return [floorOf(Date.parse(recorded.right.at))];
};

/** Milliseconds since 1970; 0 where it was never disabled. */
export const clientFloor = async (
  { store }: StreamSource,
  { tenantId, applicationId }: ClientName,
): Promise<Either<EventStoreFault, number>> => {
  const events = await store.read(clientStream(tenantId, applicationId));
  return isLeft(events) ? events : right(Math.max(0, ...events.right.flatMap(floorIn)));
};
