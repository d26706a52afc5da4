/** The processes: policies that answer events, their timers, and the workers of slow jobs. Any number of copies may run. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import { openEventStore } from '../infra/eventstore/event-store';
import { callerVariables, serve } from '../infra/http/routing/serve';
import { MasterKeyText } from '../infra/kms/master-key';
import type { Health } from '../infra/ports/runtime/health';
import { migrate } from '../infra/postgres/migrate';
import { openDurablePool } from '../infra/postgres/pool';
import { createPostgresCheckpoints } from '../infra/postgres/processes/checkpoint-store';
import { openPostgresLeaseStore } from '../infra/postgres/processes/lease-store';
import { createPostgresProcessStatusStore } from '../infra/postgres/processes/process-status-store';
import { createPostgresTimers } from '../infra/postgres/processes/timer-store';
import { createPostgresWorkQueue } from '../infra/postgres/processes/work-queue';
import { anyText, type ConfigOf, operatorsOf, operatorVariables, optional, variables } from '../infra/runtime/config';
import { runProcess as runService, type ServiceContext, service as serviceOf } from '../infra/runtime/service';
import { tracedEventStore } from '../infra/trace/traced-event-store';
import { openEncryptingStore } from '../infra/vault/encrypting-store';
import { openLocalWrapping } from '../infra/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../infra/vault/postgres-key-table';
import { openVault } from '../infra/vault/subject-keys';
import { backgrounds, jobHandlers, processes } from './composition/processes';
import { createCommandMetrics } from './kernel/command-metrics';
import { createExclusiveAggregates } from './kernel/exclusive-aggregates';
import { runProcesses } from './kernel/processes/run-processes';
import { deadLetterRoutes } from './kernel/work-queue/dead-letter-routes';

const config = {
  HOST: variables.HOST,
  PORT: variables.PORT,
  EVENTSTORE_URL: variables.EVENTSTORE_URL,
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  ...callerVariables,
  ...operatorVariables,
  MASTER_KEY: MasterKeyText,
  KEYS_DIR: anyText,
  /** Of the role that can only read; left out, the launcher or an operator has migrated already. */
  READER_PASSWORD: optional(anyText),
};
type Config = ConfigOf<typeof config>;

const clock = { now: () => new Date().toISOString() as Instant };

/** Without Postgres there is no store for checkpoints, timers and jobs: the service reports that and waits to be restarted. */
const startOff = (values: Config, context: ServiceContext) => {
  const detail = `Off: ${context.env.OFF_POSTGRES ?? 'POSTGRES_URL is not set.'}`;
  const health = async (): Promise<Health> => ({ ready: false, parts: { postgres: { ok: false, detail } } });
  return serve({ config: values, context, routes: [], health });
};

const prepare = async (url: string, password: string | undefined, { log }: ServiceContext): Promise<void> => {
  if (password === undefined) return;
  const migrated = await migrate({ url, readerPassword: password });
  // Not fatal: every part retries until Postgres is available.
  if (isLeft(migrated)) log.warn({ fault: migrated.left }, 'Postgres could not be migrated');
};

/** Opens the log, the vault and the processes' stores, which share one database. */
const openStores = ({ EVENTSTORE_URL, KEYS_DIR, MASTER_KEY }: Config, url: string, context: ServiceContext) => {
  const plain = tracedEventStore(openEventStore({ url: EVENTSTORE_URL, log: context.log }), context);
  const wrapping = openLocalWrapping({ directory: KEYS_DIR, masterKey: MASTER_KEY });
  const vault = openVault({ table: openPostgresKeyTable(url), wrapping });
  const pool = openDurablePool({ url });
  const leases = openPostgresLeaseStore({ url });
  const ledger = createPostgresProcessStatusStore(pool);
  const stores = { checkpoints: createPostgresCheckpoints(pool), timers: createPostgresTimers(pool), leases, ledger };
  const close = () => Promise.all([plain.close(), vault.close(), pool.end(), leases.close()]);
  return { ...stores, work: createPostgresWorkQueue(pool), store: openEncryptingStore(plain, vault), vault, close };
};

const start = async (values: Config, context: ServiceContext) => {
  const { POSTGRES_URL: url, READER_PASSWORD } = values;
  if (url === undefined) return startOff(values, context);
  await prepare(url, READER_PASSWORD, context);
  const { log, metrics, trace, signal } = context;
  const figures = createCommandMetrics(metrics);
  const { vault, close: closeStores, ...stores } = openStores(values, url, context);
  const warm = createExclusiveAggregates();
  const background = backgrounds.map((run) => run({ store: stores.store, vault, warm, log, signal }));
  const running = runProcesses({ processes, jobHandlers }, { ...stores, clock, log, metrics, warm, figures, trace });
  const close = async (): Promise<void> => {
    await Promise.all([running.close(), ...background]);
    await closeStores();
  };
  const health = () => Promise.resolve(running.health());
  return serve({
    config: values,
    context,
    routes: deadLetterRoutes({ work: stores.work, log, operators: operatorsOf(values) }),
    health,
    close,
  });
};

export const service = serviceOf({ name: 'processes', config, start });

if (require.main === module) runService(service);
