/** The query API: the read side of every context, behind the gateway. It can change nothing. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import type { Fault } from '../domain/kernel/rejection';
import { anyText, type ConfigOf, optional, variables } from '../infra/config';
import { openElasticReader } from '../infra/elastic/view-reader';
import { openEventStore } from '../infra/eventstore/client';
import { serve } from '../infra/http/serve';
import type { Clock } from '../infra/ports/clock';
import type { EventStore } from '../infra/ports/event-store';
import type { Health, PartHealth } from '../infra/ports/health';
import type { ViewReader } from '../infra/ports/view-store';
import { openPostgresReader } from '../infra/postgres/view-reader';
import { runProcess, type ServiceContext, service } from '../infra/service';
import { openBlindStore } from '../infra/vault/sealed-store';
import { principalsView } from '../projections/identity/principals/view';
import { securityEventsView } from '../projections/identity/security-events/view';
import { identityRoutes } from './identity/routes';
import { followedSecurityEvents } from './identity/security-events';
import { openHub } from './kernel/hub';
import { cursorsSignedWith } from './kernel/page';
import { openPlaces } from './kernel/places';
import { watchPositions } from './kernel/positions';
import { readersByStore } from './kernel/readers';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  INTERNAL_KEY: variables.INTERNAL_KEY,
  CURSOR_KEY: variables.CURSOR_KEY,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  /** A role that cannot write. */
  POSTGRES_READER_URL: optional(variables.POSTGRES_READER_URL),
  ELASTICSEARCH_URL: optional(variables.ELASTICSEARCH_URL),
  /** Why a store is not there, said to those who ask for what is in it. */
  OFF_POSTGRES: optional(anyText),
  OFF_ELASTICSEARCH: optional(anyText),
};
type Config = ConfigOf<typeof config>;

const clock: Clock = { now: () => new Date().toISOString() as Instant };
const followersInAll = 2_000;
const followersOfOneTenant = 500;

/** The registry of all views is in Postgres, so nothing is read without it. */
const openViews = (values: Config): ViewReader => {
  const { POSTGRES_READER_URL: postgresUrl, ELASTICSEARCH_URL: elasticUrl } = values;
  const noPostgres = values.OFF_POSTGRES ?? 'Postgres is not configured.';
  const noElastic = values.OFF_ELASTICSEARCH ?? 'Elasticsearch is not configured.';
  if (postgresUrl === undefined)
    return readersByStore({ postgres: noPostgres, elastic: elasticUrl === undefined ? noElastic : noPostgres });
  return readersByStore({
    postgres: openPostgresReader({ url: postgresUrl }),
    elastic: elasticUrl === undefined ? noElastic : openElasticReader({ url: elasticUrl, postgresUrl }),
  });
};

const partOf = (found: Either<Fault, unknown>): PartHealth =>
  isLeft(found) ? { ok: false, detail: found.left.detail } : { ok: true };

/** What one store cannot answer is refused with its reason, so the process takes work in any case. */
const healthOf = (store: EventStore, views: ViewReader) => async (): Promise<Health> => {
  const order = [{ field: 'eventId', direction: 'asc' }] as const;
  const [log, tables, indexes] = await Promise.all([
    store.head(),
    views.checkpoint(principalsView),
    views.page(securityEventsView, 'nobody', { where: {}, order, limit: 1 }),
  ]);
  return {
    ready: true,
    parts: { 'event-store': partOf(log), postgres: partOf(tables), elasticsearch: partOf(indexes) },
  };
};

const start = async (values: Config, context: ServiceContext) => {
  const { log, signal } = context;
  // No key ever comes here: what is personal and wanted is in the views that show it.
  const store = openBlindStore(openEventStore({ url: values.EVENTSTORE_URL, log }));
  const views = openViews(values);
  const reading = { views, positions: watchPositions(views), cursors: cursorsSignedWith(values.CURSOR_KEY) };
  const securityEvents = {
    hub: openHub({ store, log, signal }, followedSecurityEvents),
    places: openPlaces(followersInAll, followersOfOneTenant),
    clock,
  };
  const close = () => Promise.all([store.close(), views.close()]);
  const routes = identityRoutes(reading, securityEvents);
  return serve({ config: values, context, routes, health: healthOf(store, views), close });
};

const readApi = service({ name: 'read-api', config, start });

export { readApi as service };

if (require.main === module) runProcess(readApi);
