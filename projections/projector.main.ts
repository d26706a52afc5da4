/** The projectors: every event that concerns a view, written into it, for as long as this process runs. */
import { isLeft } from 'fp-ts/Either';
import { migrate } from '../infra/adapters/postgres/migrate';
import { openViewStatusStore } from '../infra/adapters/postgres/views/view-status-store';
import type { Health, PartHealth } from '../infra/ports/runtime/health';
import { callerVariables, serve } from '../infra/server/http/routing/serve';
import { codeFingerprint } from '../infra/server/runtime/code-fingerprint';
import {
  anyText,
  type ConfigOf,
  operatorsOf,
  operatorVariables,
  optional,
  variables,
} from '../infra/server/runtime/config';
import { runProcess, type ServiceContext, service as serviceOf } from '../infra/server/runtime/service';
import { tracedEventStore } from '../infra/server/trace/traced-event-store';
import { authEventVariables, indexAuthEvents } from './composition/auth-events';
import { contentVariables, openContent } from './composition/content-source';
import { guardProjectedLog, openProjectedEventStore, vaultVariables } from './composition/projected-log';
import { projections } from './composition/projections';
import { openRebuildRoutes } from './composition/rebuild-route';
import { relayRevocations } from './composition/revocation-feed';
import { measureStores } from './composition/store-sizes';
import { openWriters, storeVariables, type Writers } from './composition/view-writers';
import type { Projection } from './kernel/projection';
import { runHousekeeping } from './kernel/projector/housekeeping';
import { type Projector, runProjector } from './kernel/projector/projector';

const config = {
  ...storeVariables,
  ...vaultVariables,
  ...contentVariables,
  ...authEventVariables,
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...callerVariables,
  /** Where `npm start` keeps its stores; elsewhere they have disks of their own. */
  DATA_DIR: optional(anyText),
  ...operatorVariables,
  /** Of the role that can only read; left out, the launcher or an operator has migrated already. */
  READER_PASSWORD: optional(anyText),
};
type Config = ConfigOf<typeof config>;

/** A view that is off is reported and does not affect readiness; a stopped view needs an operator, so the process is not ready. */
const healthOf = (projector: Projector, writers: Writers): Health => {
  const off = projections
    .filter(({ view }) => writers.of(view) === undefined)
    .map(({ view }): [string, PartHealth] => [view.name, { ok: false, detail: writers.reasonOff(view) }]);
  const running = projector.status();
  const parts = running.map(
    ({ view, phase, position, lagSeconds, lagEvents, skippedEvents, detail }): [string, PartHealth] => {
      const events = lagEvents === null ? 'an unknown number of' : lagEvents;
      const place = `${phase} at ${position ?? 'nothing'}, ${lagSeconds} s and ${events} events behind${skippedEvents === 0 ? '' : `, without ${skippedEvents} skipped`}`;
      return [view, { ok: phase === 'live', detail: detail === undefined ? place : `${place}: ${detail}` }];
    },
  );
  const stopped = running.some(({ phase }) => phase === 'stopped');
  return { ready: !stopped, parts: Object.fromEntries([...parts, ...off]) };
};

const prepare = async ({ POSTGRES_URL, READER_PASSWORD }: Config, { log }: ServiceContext): Promise<void> => {
  if (POSTGRES_URL === undefined || READER_PASSWORD === undefined) return;
  const migrated = await migrate({ url: POSTGRES_URL, readerPassword: READER_PASSWORD });
  if (isLeft(migrated) && migrated.left.code === 'view-refused') throw new Error(migrated.left.detail);
  // The views in it wait for Postgres; the others need not.
  if (isLeft(migrated)) log.warn({ fault: migrated.left }, 'Postgres could not be migrated');
};

const start = async (values: Config, context: ServiceContext) => {
  await prepare(values, context);
  const { log, metrics, env, signal } = context;
  const guard = guardProjectedLog(values, { log, keepsAnchor: true, signal });
  const writers = openWriters(values, { env, logId: guard?.logId });
  const writerOf = ({ view }: Projection) => writers.of(view);
  const projected = openProjectedEventStore({ config: values, log, projections, guard, signal });
  const content = openContent(values, projections);
  const ledger = values.POSTGRES_URL === undefined ? undefined : openViewStatusStore({ url: values.POSTGRES_URL });
  const projector = runProjector(projections, {
    store: tracedEventStore(projected.store, context),
    log,
    metrics,
    trace: context.trace,
    writerOf,
    ledger,
    code: codeFingerprint(),
    blobs: content.blobs,
  });
  const beside = runHousekeeping({ projections, writerOf, status: projector.status, ledger, log, signal });
  const relay =
    values.REDIS_URL === undefined ? undefined : relayRevocations(values.REDIS_URL, projected.store, context);
  const authEvents = indexAuthEvents(values, { store: projected.store, guard }, context);
  const measuring = measureStores(values, context);
  const rebuilds = openRebuildRoutes({
    projections,
    writers,
    store: projected.store,
    blobs: content.blobs,
    ledger,
    code: codeFingerprint(),
    log,
    operators: operatorsOf(values),
  });
  const close = async (): Promise<void> => {
    await Promise.all([rebuilds.close(), projector.close(), beside, measuring, relay?.close(), authEvents?.close()]);
    await Promise.all([projected.close(), writers.close(), content.close(), ledger?.close()]);
  };
  const health = () => Promise.resolve(healthOf(projector, writers));
  return serve({ config: values, context, routes: rebuilds.routes, health, close });
};

export const service = serviceOf({ name: 'projections', config, start });

if (require.main === module) runProcess(service);
