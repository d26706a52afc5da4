/** Everything that touches somebody's access, to be searched. */
import { isLeft } from 'fp-ts/Either';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { IndexView } from '../../kernel/view';
import { SecurityEventRow } from './row';
import { securityEventSources } from './sources';

export { SecurityEventRow } from './row';

const keyword = { type: 'keyword' };

export const securityEventsView: IndexView<SecurityEventRow> = {
  store: 'elastic',
  name: 'identity_security_events',
  version: 5,
  row: SecurityEventRow,
  key: ['tenantId', 'eventId'],
  mappings: {
    tenantId: keyword,
    eventId: keyword,
    position: { type: 'long' },
    timestamp: { type: 'date' },
    type: keyword,
    principalId: keyword,
    principalType: keyword,
    clientId: keyword,
    actor: keyword,
    severity: keyword,
    summary: { type: 'text' },
    // Kept, not searched: its fields differ from type to type.
    details: { type: 'object', enabled: false },
    revision: { type: 'long' },
  },
};

/** For followers of the log: the row that an event makes, undefined when it makes none or cannot be read. */
export const securityEventOf = (stored: StoredEvent): SecurityEventRow | undefined => {
  const source = securityEventSources.find(({ prefix }) => stored.stream.startsWith(prefix));
  const changes = source?.changes(stored);
  const [change] = changes === undefined || isLeft(changes) ? [] : changes.right;
  return change?.kind === 'put' ? change.row : undefined;
};

/** Streams whose events make rows. */
export const securityEventStreams: readonly string[] = securityEventSources.map(({ prefix }) => prefix);
