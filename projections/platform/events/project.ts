import { right } from 'fp-ts/Either';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { type ProjectionSource, projection } from '../../kernel/projection';
import type { Change } from '../../kernel/view';
import { isNamed, metadataOf, tenantOf } from '../stored-event-fields';
import { type PlatformEventRow, platformEventsView } from './view';

/** What is longer was not written by us, and fits no index. */
const longestId = 256;
const idOf = (value: string | undefined): string | null =>
  value === undefined || value.length > longestId ? null : value;

const rowOf = (stored: StoredEvent): PlatformEventRow => {
  const { id: eventId, stream, revision, position, type } = stored;
  const { $correlationId, $causationId, commandId, at = null } = metadataOf(stored);
  const causes = { correlationId: idOf($correlationId), causationId: idOf($causationId), commandId: idOf(commandId) };
  return { tenantId: tenantOf(stream), eventId, stream, revision, position: String(position), type, ...causes, at };
};

const everyEvent: ProjectionSource<Change<PlatformEventRow>> = {
  prefix: '',
  changes: (stored) => right(isNamed(stored) ? [{ kind: 'put', row: rowOf(stored) }] : []),
};

export const platformEventsProjection = projection(platformEventsView, [everyEvent]);
