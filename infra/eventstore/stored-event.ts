/** Between the client's events and ours. */
import { type EventData, type JSONEventType, jsonEvent, type RecordedEvent } from '@eventstore/db-client';
import type { NewEvent, StoredEvent } from '../ports/event-store';

export const toEventData = ({ id, type, data, metadata }: NewEvent): EventData =>
  jsonEvent<JSONEventType>({
    id,
    type,
    data: data as JSONEventType['data'],
    metadata: metadata as Record<string, unknown>,
  });

/** Both positions are the same number on every server since version 20. */
export const toStoredEvent = (recorded: RecordedEvent): StoredEvent => ({
  id: recorded.id,
  stream: recorded.streamId,
  revision: Number(recorded.revision),
  position: recorded.position?.commit ?? 0n,
  type: recorded.type,
  data: recorded.data,
  metadata: recorded.metadata,
});
