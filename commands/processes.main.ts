/** The processes: policies that answer events, their timers, and the workers of slow jobs. Any number of copies may run. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../domain/kernel/codec';
import { anyText, type ConfigOf, operatorsOf, operatorVariables, optional, variables } from '../infra/config';
import { openEventStore } from '../infra/eventstore/client';
import { callerVariables, serve } from '../infra/http/serve';
import { MasterKeyText } from '../infra/kms/master-key';
import type { Health } from '../infra/ports/health';
import { openDurablePool } from '../infra/postgres/durable';
import { openPostgresLeases } from '../infra/postgres/lease';
import { migrate } from '../infra/postgres/migrate';
import { postgresProcessCheckpoints } from '../infra/postgres/process-checkpoints';
import { postgresProcessLedger } from '../infra/postgres/process-ledger';
import { postgresTimers } from '../infra/postgres/timers';
import { postgresWorkQueue } from '../infra/postgres/work-queue';
import { runProcess as runService, type ServiceContext, service as serviceOf } from '../infra/service';
import { observedStore } from '../infra/trace/observed-store';
import { openEncryptingStore } from '../infra/vault/encrypting-store';
import { openLocalWrapping } from '../infra/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../infra/vault/postgres-key-table';
import { openVault } from '../infra/vault/subject-keys';
import { backgrounds, processes, workshops } from './composition/processes';
import { commandFigures } from './kernel/figures';
import { deadLetterRoutes } from './kernel/react/dead-letter-routes';
import { runAll } from './kernel/react/run-all';
import { openWarm } from './kernel/warm';

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

/** Without Postgres there is nowhere to keep checkpoints, timers and jobs: the service says so and waits to be restarted. */
const startOff = (values: Config, context: ServiceContext) => {
  const detail = `Off: ${context.env.OFF_POSTGRES ?? 'POSTGRES_URL is not set.'}`;
  const health = async (): Promise<Health> => ({ ready: false, parts: { postgres: { ok: false, detail } } });
  return serve({ config: values, context, routes: [], health });
};

const prepare = async (url: string, password: string | undefined, { log }: ServiceContext): Promise<void> => {
  if (password === undefined) return;
  const migrated = await migrate({ url, readerPassword: password });
  // Everything waits for Postgres by itself.
  if (isLeft(migrated)) log.warn({ fault: migrated.left }, 'Postgres could not be migrated');
};

/** What holds what, all in one database beside the log. */
const openStores = ({ EVENTSTORE_URL, KEYS_DIR, MASTER_KEY }: Config, url: string, context: ServiceContext) => {
  const plain = observedStore(openEventStore({ url: EVENTSTORE_URL, log: context.log }), context);
  const wrapping = openLocalWrapping({ directory: KEYS_DIR, masterKey: MASTER_KEY });
  const vault = openVault({ table: openPostgresKeyTable(url), wrapping });
  const pool = openDurablePool({ url });
  const leases = openPostgresLeases({ url });
  const ledger = postgresProcessLedger(pool);
  const kept = { checkpoints: postgresProcessCheckpoints(pool), timers: postgresTimers(pool), leases, ledger };
  const close = () => Promise.all([plain.close(), vault.close(), pool.end(), leases.close()]);
  return { ...kept, work: postgresWorkQueue(pool), store: openEncryptingStore(plain, vault), vault, close };
};

const start = async (values: Config, context: ServiceContext) => {
  const { POSTGRES_URL: url, READER_PASSWORD } = values;
  if (url === undefined) return startOff(values, context);
  await prepare(url, READER_PASSWORD, context);
  const { log, metrics, trace, signal } = context;
  const figures = commandFigures(metrics);
  const { vault, close: closeStores, ...stores } = openStores(values, url, context);
  const warm = openWarm();
  const background = backgrounds.map((run) => run({ store: stores.store, vault, warm, log, signal }));
  const running = runAll({ processes, workshops }, { ...stores, clock, log, metrics, warm, figures, trace });
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
