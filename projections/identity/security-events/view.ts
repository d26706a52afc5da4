/** Searchable index of security events. */
import { isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../../infra/ports/event-store';
import { type IndexView, index } from '../../kernel/view';
import { SecurityEventRow } from './row';
import { securityEventSources } from './sources/index';

export { SecurityEventRow } from './row';

export const securityEventsView: IndexView<SecurityEventRow> = index({
  name: 'identity_security_events',
  version: 7,
  row: SecurityEventRow,
  key: ['tenantId', 'eventId'],
  mappings: { position: { type: 'long' }, summary: { type: 'text' } },
});

/** Row of an event for live streams; undefined: none, or unreadable. */
export const securityEventOf = (stored: StoredEvent): SecurityEventRow | undefined => {
  const source = securityEventSources.find(({ prefix }) => stored.stream.startsWith(prefix));
  const changes = source?.changes(stored);
  const [change] = changes === undefined || isLeft(changes) ? [] : changes.right;
  return change?.kind === 'put' ? change.row : undefined;
};

/** Stream prefixes of the sources. */
export const securityEventStreams: readonly string[] = securityEventSources.map(({ prefix }) => prefix);
