/** The processes: policies that answer events, and their timers. Any number of copies may run. */

import { createPostgresCheckpoints } from '../infra/adapters/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../infra/adapters/postgres/processes/lease-store';
import { createPostgresProcessStatusStore } from '../infra/adapters/postgres/processes/process-status-store';
import { createPostgresTimers } from '../infra/adapters/postgres/processes/timer-store';
import { callerVariables, serve } from '../infra/server/http/routing/serve';
import { type ConfigOf, operatorsOf, operatorVariables, optional, variables } from '../infra/server/runtime/config';
import { runProcess as runService, type ServiceContext, service as serviceOf } from '../infra/server/runtime/service';
import {
  clock,
  openProcessStores,
  prepareDatabase,
  processStoreVariables,
  withoutPostgres,
} from './composition/process-stores';
import { backgrounds, processes } from './composition/processes';
import { createCommandMetrics } from './kernel/command-metrics';
import { createExclusiveAggregates } from './kernel/exclusive-aggregates';
import { runProcesses } from './kernel/processes/run-processes';
import { workQueueRoutes } from './kernel/work-queue/routes';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  ...processStoreVariables,
  /** Left out, views of videos are not counted. */
  REDIS_URL: optional(variables.REDIS_URL),
  ...callerVariables,
  ...operatorVariables,
};
type Config = ConfigOf<typeof config>;

const start = async (values: Config, context: ServiceContext) => {
  const { POSTGRES_URL: url } = values;
  if (url === undefined) return serve({ config: values, context, routes: [], health: () => withoutPostgres(context) });
  await prepareDatabase(url, values, context);
  const { log, metrics, trace, signal } = context;
  const commandMetrics = createCommandMetrics(metrics);
  const { store, vault, pool, work, close: closeStores } = openProcessStores(url, values, context);
  const leases = openPostgresLeaseStore({ url });
  const warm = createExclusiveAggregates();
  const background = backgrounds.map((run) =>
    run({ store, pool, redisUrl: values.REDIS_URL, vault, warm, log, metrics, signal }),
  );
  const running = runProcesses(processes, {
    store,
    work,
    leases,
    checkpoints: createPostgresCheckpoints(pool),
    timers: createPostgresTimers(pool),
    ledger: createPostgresProcessStatusStore(pool),
    clock,
    log,
    metrics,
    warm,
    commandMetrics,
    trace,
  });
  const close = async (): Promise<void> => {
    await Promise.all([running.close(), ...background]);
    await Promise.all([closeStores(), leases.close()]);
  };
  const access = { work, log, operators: operatorsOf(values) };
  const health = () => Promise.resolve(running.health());
  return serve({
    config: values,
    context,
    routes: workQueueRoutes(access),
    health,
    close,
  });
};

export const service = serviceOf({ name: 'processes', config, start });

if (require.main === module) runService(service);
