/** Opens the log, which the gateway only reads. */
import { openEventStore } from '../../adapters/eventstore/event-store';
import type { EventStore } from '../../ports/event-store';
import { endForAnotherLog } from '../../server/log-identity/end-for-another-log';
import { tracedEventStore } from '../../server/trace/traced-event-store';
import type { GatewayContext } from '../config';

/** Undefined: revocations come from Redis alone. */
export const openEventLog = ({ config, context, closing }: GatewayContext): EventStore | undefined => {
  const { EVENTSTORE_URL: url } = config;
  if (url === undefined) return undefined;
  const { log, signal } = context;
  const store = tracedEventStore(openEventStore({ url, log, signal, replaced: endForAnotherLog(log) }), context);
  closing.add('event store', store.close);
  return store;
};
