/** The client's events as ours. */
import type { RecordedEvent } from '@eventstore/db-client';
import type { StoredEvent } from '../../ports/event-store';

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
