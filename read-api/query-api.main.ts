/** The query API: the read side of every context, behind the gateway. It can change nothing. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import type { Fault } from '../domain/kernel/rejection';
import { openEventStore } from '../infra/adapters/eventstore/event-store';
import { openRedactingStore } from '../infra/adapters/vault/encrypting-store';
import type { EventStore } from '../infra/ports/event-store';
import type { Clock } from '../infra/ports/runtime/clock';
import type { Health, PartHealth } from '../infra/ports/runtime/health';
import type { ViewReader } from '../infra/ports/views/view-store';
import { bind } from '../infra/server/http/routing/route';
import { callerKeysOf, callerVariables, serve } from '../infra/server/http/routing/serve';
import { guardReadLog } from '../infra/server/log-identity/composition/open-log-guard';
import { endForAnotherLog } from '../infra/server/log-identity/end-for-another-log';
import { identifyUntilKnown } from '../infra/server/log-identity/log-guard';
import {
  type ConfigOf,
  operatorsOf,
  operatorVariables,
  variables,
  wholeNumber,
  withDefault,
} from '../infra/server/runtime/config';
import { runProcess, type ServiceContext, service } from '../infra/server/runtime/service';
import { awayDetail } from '../infra/server/runtime/store-off';
import { withinMilliseconds } from '../infra/server/runtime/within-milliseconds';
import { openRevocationState } from '../infra/server/security-state/revocation-state';
import { tracedEventStore } from '../infra/server/trace/traced-event-store';
import { webSocketEndpoint } from '../infra/server/ws/endpoint';
import { principalsView } from '../projections/identity/principals/view';
import { securityEventsView } from '../projections/identity/security-events/view';
import { queryContexts } from './composition/contexts';
import { openIndexes, openViews, storeVariables } from './composition/view-readers';
import { cursorsSignedWith } from './kernel/pagination';
import { queriesOnly } from './kernel/queries-only';
import { createViewPositions } from './kernel/read-your-writes';
import { createConnectionQuota } from './kernel/streams/connection-quota';
import { createStreamMetrics } from './kernel/streams/stream-metrics';
import { openStreamService } from './kernel/streams/stream-service';
import { issueStreamTicket } from './kernel/streams/ticket-route';
import { streamSocket } from './kernel/streams/websocket-route';

const own = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...callerVariables,
  CURSOR_KEY: variables.CURSOR_KEY,
  ...storeVariables,
  ...operatorVariables,
  /** Clients that may follow at once. */
  STREAMS_IN_ALL: withDefault(wholeNumber(1, 100_000), 10_000),
  STREAMS_OF_ONE_TENANT: withDefault(wholeNumber(1, 100_000), 4_000),
  STREAMS_OF_ONE_PRINCIPAL: withDefault(wholeNumber(1, 100_000), 500),
};
/** Each context reads its own variables of it. */
const config = Object.assign({}, ...queryContexts.map((context) => context.config), own) as typeof own;
type Config = ConfigOf<typeof config>;

const clock: Clock = { now: () => new Date().toISOString() as Instant };

/** Below the time in which health is answered. */
const maxProbeMilliseconds = 600;

const partOf = async (request: Promise<Either<Fault, unknown>>, away: string): Promise<PartHealth> => {
  const found = await withinMilliseconds(request, maxProbeMilliseconds);
  if (found === undefined) return { ok: false, detail: away };
  return isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };
};

/** Always ready: queries of an unavailable store are refused with the reason, and the others are served. */
const healthOf = (store: EventStore, views: ViewReader) => async (): Promise<Health> => {
  const order = [{ field: 'eventId', direction: 'asc' }] as const;
  const [log, tables, indexes] = await Promise.all([
    partOf(
      store.head(),
      'The log does not answer. Meanwhile, nothing can be changed, and queries answer what they know.',
    ),
    partOf(views.checkpoint(principalsView), awayDetail('POSTGRES')),
    partOf(views.page(securityEventsView, 'nobody', { where: {}, order, limit: 1 }), awayDetail('ELASTICSEARCH')),
  ]);
  return {
    ready: true,
    // The registry of indexes is in Postgres.
    parts: { 'event-store': log, postgres: tables, elasticsearch: tables.ok ? indexes : tables },
  };
};

const start = async (values: Config, context: ServiceContext) => {
  const { log, signal } = context;
  // The query side has no keys: personal fields come from the views that store them.
  const bare = openEventStore({ url: values.EVENTSTORE_URL, log, signal, replaced: endForAnotherLog(log) });
  const plain = tracedEventStore(bare, context);
  const store = openRedactingStore(plain);
  const { POSTGRES_READER_URL: postgresUrl, EVENTSTORE_URL: eventStoreUrl } = values;
  const guard = postgresUrl === undefined ? undefined : guardReadLog({ eventStoreUrl, postgresUrl, log, signal });
  const identifying = guard && identifyUntilKnown(guard, signal);
  const views = openViews(values);
  const cursors = cursorsSignedWith(values.CURSOR_KEY, guard?.identity);
  const reading = { views, positions: createViewPositions(views), cursors };
  const indexes = openIndexes(values);
  const security = openRevocationState(store, context);
  const streaming = openStreamService({
    store,
    log,
    trace: context.trace,
    signal,
    clock,
    cursors: reading.cursors,
    quota: createConnectionQuota({
      inAll: values.STREAMS_IN_ALL,
      ofOneTenant: values.STREAMS_OF_ONE_TENANT,
      ofOnePrincipal: values.STREAMS_OF_ONE_PRINCIPAL,
    }),
    rights: security.rights,
    streamMetrics: createStreamMetrics(context.metrics),
  });
  const callerKeys = callerKeysOf(values, context);
  const operators = operatorsOf(values);
  const adapters = {
    reading,
    indexes,
    streaming,
    store,
    readAll: plain.readAll,
    clock,
    operators,
    security: security.knowledge,
    log,
    logIdentity: () => guard?.identity(),
    signal,
  };
  const opened = queryContexts.map(({ open }) => open(values, adapters));
  const streams = opened.flatMap((one) => one.streams ?? []);
  const socket = streamSocket({ streaming, streams, callerKeys, log });
  const close = async (): Promise<void> => {
    await identifying;
    await Promise.all([store, views, indexes, guard, ...opened].map((one) => one?.close?.()));
  };
  return serve({
    config: values,
    context,
    callerKeys,
    routes: queriesOnly([...opened.flatMap(({ routes }) => routes), bind({ callerKeys, clock }, issueStreamTicket)]),
    upgrade: webSocketEndpoint({ routes: [socket], callerKeys, log, signal }),
    health: healthOf(store, views),
    close,
  });
};

const readApi = service({ name: 'read-api', config, start });

export { readApi as service };

if (require.main === module) runProcess(readApi);
